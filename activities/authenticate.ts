import { ApplicationFailure } from '@temporalio/activity';
import type { SealedToken } from '../src/contract/token.js';
import { sealToken } from '../src/payments-service/token-seal.js';
import type { TokenDeps } from './shared/deps.js';
import { readFailure } from './shared/read-failure.js';

/** `generation` is the number of the token to be issued. */
export type AuthenticateInput = { generation: number };

/**
 * Gets a new token (`POST /v1/auth`), sealed for the history.
 *
 * Safe to retry: it moves no money, the worst is one token more.
 */
export const authenticate =
  ({ service, clientSecret, now }: TokenDeps) =>
  async ({ generation }: AuthenticateInput): Promise<SealedToken> => {
    if (!Number.isSafeInteger(generation) || generation < 1) {
      throw ApplicationFailure.create({
        type: 'InvalidInput',
        message: 'generation must be a whole number from 1',
        nonRetryable: true,
      });
    }
    const issuedAtMs = now();
    const result = await service.authenticate();
    if (result.outcome !== 'answered') throw readFailure('POST /v1/auth', result);
    return {
      generation,
      sealed: sealToken({ clientSecret, generation, token: result.value.token }),
      issued_at: new Date(issuedAtMs).toISOString(),
      expires_at: new Date(issuedAtMs + result.value.expireMinutes * 60_000).toISOString(),
    };
  };
