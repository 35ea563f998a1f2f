import {
  allHandlersFinished,
  condition,
  proxyActivities,
  setHandler,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { TokenActivities } from '../activities/index.js';
import type { RenewToken } from '../src/contract/messages.js';
import type { SealedToken, TokenHealth, TokenRenewalInput } from '../src/contract/token.js';
import { tokenRenewalDelayMs } from '../src/domain/token-renewal.js';
import { renewTokenUpdate, tokenHealthQuery } from './messages.js';
import { toFailure } from './shared/handlers.js';
import { Refused } from '../src/domain/refused.js';
import { Clock } from './shared/clock.js';
import { goOnInNewRun, needsNewRun } from './shared/new-run.js';

/** A token is renewed when so much of its life has passed. */
const renewAfterShareOfLife = 0.8;

/** A token, since when this workflow has it, and how many rejections in a row have made it renew at once. */
type HeldToken = { token: SealedToken; since: number; rejections: number };

/**
 * Keeps one Bearer token for the whole fleet, in its memo: renews it by a durable timer, and once for all when the service
 * rejects it. The token stands in memo and history sealed only. Runs for ever.
 *
 * Endpoint: `POST /v1/auth`.
 */
export async function tokenRenewal(
  input: TokenRenewalInput,
  snapshot: HeldToken | null = null,
): Promise<never> {
  // Safe to retry: it moves no money. Its queue is its own, so that it never waits behind those who need it.
  const { authenticate } = proxyActivities<TokenActivities>({
    taskQueue: input.token_task_queue,
    startToCloseTimeout: '60 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
    summary: 'get a new access token',
  });
  const clock = new Clock();
  let held = snapshot;
  let rejected = 0;

  setHandler(tokenHealthQuery, () => tokenHealth(held?.token ?? null));
  setHandler(
    renewTokenUpdate,
    async ({ rejected_generation: generation }) => {
      rejected = Math.max(rejected, Math.min(generation, held?.token.generation ?? 0));
      await condition(() => held !== null && held.token.generation > generation);
      if (held === null) throw toFailure(new Refused('CouldNotRead', 'There is no token.'));
      return held.token;
    },
    {
      validator: (message: RenewToken) => {
        const generation: unknown = message?.rejected_generation;
        if (typeof generation !== 'number' || generation < 0 || generation > (held?.token.generation ?? 0)) {
          const what = 'rejected_generation must be 0 or the generation of a token that was issued.';
          throw toFailure(new Refused('InvalidMessage', what));
        }
      },
    },
  );

  for (;;) {
    const current: HeldToken | null = held;
    let rejections = 0;
    if (current !== null) {
      // Whoever needs the token reads it here, from Temporal alone.
      upsertMemo({ token: current.token });
      const isRejected = () => rejected >= current.token.generation;
      await clock.until(renewAt(current), isRejected, 'the renewal of the access token');
      if (isRejected()) {
        rejections = rejectionsInARow(current);
        const allowedAt = current.since + tokenRenewalDelayMs(current.rejections);
        await clock.until(allowedAt, () => false, 'the next allowed renewal');
      }
    }
    const token = await authenticate({ generation: (current?.token.generation ?? 0) + 1 });
    held = { token, since: Date.now(), rejections };
    if (needsNewRun()) {
      await condition(allHandlersFinished);
      await goOnInNewRun<typeof tokenRenewal>(input, held);
    }
  }
}

/** By the worker's own clock, which no workflow decides by: a Query may look at it. */
function tokenHealth(token: SealedToken | null): TokenHealth {
  const now = new Date(workflowInfo().unsafe.now()).toISOString();
  if (token === null) return { now, token };
  const { generation, issued_at, expires_at } = token;
  return { now, token: { generation, issued_at, expires_at } };
}

/** A token that lived for a minute before it was rejected starts the count anew. */
function rejectionsInARow({ rejections, since }: HeldToken): number {
  return Date.now() - since < 60_000 ? rejections + 1 : 1;
}

/** By this workflow's own clock: another machine's may differ. */
function renewAt({ token, since }: HeldToken): number {
  const lifeMs = Date.parse(token.expires_at) - Date.parse(token.issued_at);
  return since + Math.max(lifeMs * renewAfterShareOfLife, 60_000);
}
