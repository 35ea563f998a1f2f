import {
  allHandlersFinished,
  condition,
  continueAsNew,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { TokenActivities } from '../activities/index.js';
import type { RenewToken } from '../src/contract/messages.js';
import type { SealedToken, TokenRenewalInput } from '../src/contract/token.js';
import { renewTokenUpdate, tokenQuery } from './messages/token.js';
import { Alarm } from './shared/alarm.js';
import { refusal } from './shared/inbox.js';

/** A token is renewed when so much of its life has passed. */
const renewAfterShareOfLife = 0.8;

/** However many callers are rejected, the service is asked for a token at most so often. */
const shortestTimeBetweenMs = 60_000;

/** A token, and since when this workflow has it, in milliseconds since the epoch. */
type HeldToken = { token: SealedToken; since: number };

/**
 * Keeps one Bearer token for the whole fleet: renews it by a durable timer, and once for all when the service
 * rejects it. The token stands in the history sealed only. Runs for ever.
 *
 * Source: §4 POST /v1/auth, §5.
 */
export async function tokenRenewal(
  input: TokenRenewalInput,
  carried: HeldToken | null = null,
): Promise<never> {
  // Safe to retry: it moves no money. Its queue is its own, so that it never waits behind those who need it.
  const { authenticate } = proxyActivities<TokenActivities>({
    taskQueue: input.token_task_queue,
    startToCloseTimeout: '60 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
    summary: 'get a new access token',
  });
  const alarm = new Alarm();
  let held = carried;
  let rejected = 0;

  setHandler(tokenQuery, () => held?.token ?? null);
  setHandler(
    renewTokenUpdate,
    async ({ rejected_generation: generation }) => {
      rejected = Math.max(rejected, Math.min(generation, held?.token.generation ?? 0));
      await condition(() => held !== null && held.token.generation > generation);
      if (held === null) throw refusal('CouldNotRead', 'There is no token.');
      return held.token;
    },
    {
      validator: (message: RenewToken) => {
        const generation: unknown = message?.rejected_generation;
        if (typeof generation !== 'number' || generation < 0 || generation > (held?.token.generation ?? 0)) {
          throw refusal(
            'InvalidMessage',
            'rejected_generation must be 0 or the generation of a token that was issued.',
          );
        }
      },
    },
  );

  for (;;) {
    const current = held;
    if (current !== null) {
      const isRejected = () => rejected >= current.token.generation;
      await alarm.until(renewAt(current), isRejected, 'the renewal of the access token');
      if (isRejected()) {
        await alarm.until(current.since + shortestTimeBetweenMs, () => false, 'the next allowed renewal');
      }
    }
    const token = await authenticate({ generation: (current?.token.generation ?? 0) + 1 });
    held = { token, since: Date.now() };
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof tokenRenewal>(input, held);
    }
  }
}

/** By this workflow's own clock: another machine's may differ. */
function renewAt({ token, since }: HeldToken): number {
  const lifeMs = Date.parse(token.expires_at) - Date.parse(token.issued_at);
  return since + Math.max(lifeMs * renewAfterShareOfLife, shortestTimeBetweenMs);
}
