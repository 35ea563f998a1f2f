import type { PaymentsService } from '../../src/payments-service/payments-service.js';
import type { TokenSource } from '../../src/payments-service/token-source.js';

/** Tokens straight from the service: on a clock that skips months, a renewal each 24 minutes would be all there is. */
export function ownTokens(service: PaymentsService): TokenSource {
  let generation = 0;
  let token: string | undefined;
  return {
    current: async () => {
      if (token === undefined) {
        const issued = await service.authenticate();
        if (issued.outcome !== 'answered') throw new Error('The sandbox gave no token.');
        token = issued.value.token;
        generation += 1;
      }
      return { token, generation };
    },
    reject: (rejected) => {
      if (rejected >= generation) token = undefined;
      return Promise.resolve();
    },
  };
}
