import type { PaymentsService } from '../../src/payments-service/payments-service.js';
import type { TokenSource } from '../../src/payments-service/token-source.js';

/** Tokens straight from the service: on a clock that skips months, a renewal each 24 minutes would be all there is. */
export function ownTokens(service: PaymentsService): TokenSource {
  let generation = 0;
  let token: Promise<string> | undefined;
  const newToken = async (): Promise<string> => {
    const issued = await service.authenticate();
    if (issued.outcome !== 'answered') throw new Error('The sandbox gave no token.');
    return issued.value.token;
  };
  return {
    current: async () => {
      if (token === undefined) {
        generation += 1;
        // All that ask meanwhile wait for the same one: the sandbox takes none but the newest.
        token = newToken();
        token.catch(() => {
          token = undefined;
        });
      }
      const current = generation;
      return { token: await token, generation: current };
    },
    reject: (rejected) => {
      if (rejected >= generation) token = undefined;
      return Promise.resolve();
    },
  };
}
