import { ApplicationFailure } from '@temporalio/activity';
import type { ReadFailureType } from '../../src/domain/read-failures.js';
import type { Endpoint } from '../../src/domain/retry-table.js';
import type { PaymentsService, ReadingCall } from '../../src/payments-service/payments-service.js';
import type { ServiceResult } from '../../src/payments-service/result.js';
import type { ServiceToken } from '../../src/payments-service/token-source.js';
import type { ReadingDeps } from './deps.js';
import { readFailure } from './read-failure.js';

/**
 * Makes one read of the service with the current token. A token that is not accepted is reported, and the read is
 * made once more with a newer one.
 *
 * @throws ApplicationFailure, retryable, of a {@link ReadFailureType}
 */
export async function readService<Value>(
  { service, tokens }: ReadingDeps,
  endpoint: Endpoint,
  read: (service: PaymentsService, call: ReadingCall) => Promise<ServiceResult<Value>>,
): Promise<Value> {
  for (let last = false; ; last = true) {
    const token = await currentToken(tokens, endpoint);
    const result = await read(service, { token: token.token });
    if (result.outcome === 'answered') return result.value;
    if (result.outcome !== 'unauthorized' || last) throw readFailure(endpoint, result);
    await tokens.reject(token.generation).catch(() => undefined);
  }
}

async function currentToken(tokens: ReadingDeps['tokens'], endpoint: Endpoint): Promise<ServiceToken> {
  try {
    return await tokens.current();
  } catch {
    throw ApplicationFailure.create({
      type: 'NoToken' satisfies ReadFailureType,
      message: `${endpoint}: there is no access token of the service.`,
      nonRetryable: false,
    });
  }
}
