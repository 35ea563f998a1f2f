import { expect, test } from 'vitest';
import { creatingActivity } from '../../src/domain/call-limits.js';
import { newSubmission, submitted, type SubmissionState } from '../../src/domain/submission.js';

type Waiting = { readonly index: number; readonly at: number };

/** How long the scan takes that is made before a payout which has waited for more than a minute is sent. */
const scanMs = 2_000;

/**
 * Sends payouts that are all started at once as Temporal hands out their calls: both queues at the pace and in their order; a
 * call that no worker has taken in time leaves its queue and costs the pace nothing. Returns when each was sent, in that order.
 */
function sent(payouts: number, perSecond: number): Waiting[] {
  const main: Waiting[] = Array.from({ length: payouts }, (_, index) => ({ index, at: 0 }));
  const turns: Waiting[] = [];
  const later: Waiting[] = [];
  const heads = { main: 0, turns: 0, later: 0 };
  const done: Waiting[] = [];
  const tickMs = 1_000 / perSecond;
  for (let now = 0; done.length < payouts && now < 100 * payouts * tickMs; now += tickMs) {
    for (let head = later[heads.later]; head !== undefined && head.at <= now; head = later[heads.later]) {
      heads.later += 1;
      main.push({ ...head, at: now });
    }
    for (let head = main[heads.main]; head !== undefined && isOver(head, now); head = main[heads.main]) {
      heads.main += 1;
      const state = neverStarted(now);
      if (state.inLine) turns.push(head);
      else later.push({ ...head, at: state.at });
    }
    const next = main[heads.main];
    if (next !== undefined) {
      heads.main += 1;
      done.push({ ...next, at: now });
    }
    const turn = turns[heads.turns];
    if (turn !== undefined) {
      heads.turns += 1;
      later.push({ ...turn, at: now + scanMs });
    }
  }
  return done;
}

function isOver({ at }: Waiting, now: number): boolean {
  return now - at >= creatingActivity.scheduleToStartMs;
}

function neverStarted(now: number): SubmissionState {
  const called = { kind: 'timed_out', how: 'never_started', heartbeat: undefined } as const;
  const tookMs = creatingActivity.scheduleToStartMs;
  const after = submitted({ ...called, tookMs }, newSubmission(0), { now, scale: 1, withCard: false });
  if (after.kind !== 'again') throw new Error(`It is ${after.kind}.`);
  return after.state;
}

test('a burst of 100,000 payouts is sent at the pace of ten a second, in its order', () => {
  const order = sent(100_000, 10);
  expect(order.map(({ index }) => index)).toEqual(Array.from({ length: 100_000 }, (_, index) => index));
  expect(order.at(-1)?.at).toBeLessThan(1.01 * 10_000_000);
});
