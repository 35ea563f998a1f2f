import { expect, test } from 'vitest';
import type { CreationOutcome } from '../../src/domain/submission.js';
import { payoutLifecycle } from '../../workflows/payout.js';
import { PayoutPayment } from '../../workflows/payout/payment.js';
import { noSuchCalls } from '../exploration/no-such-calls.js';
import type { Answers } from '../exploration/answers.js';
import { ScriptedEngine } from '../exploration/scripted-engine.js';
import { factsOf, startsAt } from '../exploration/world.js';
import { pixPayout } from '../support/requests.js';

/** A worker of another release may refuse what an earlier one has sent. */
test('a payout that was answered 429, and is then not usable, is not said to be unsent', async () => {
  const clock = { now: startsAt };
  const outcomes: CreationOutcome[] = [
    { outcome: 'throttled', reason: 'The service answered 429.', retry_after_ms: null },
    { outcome: 'invalid_input', problems: [{ field: 'pix', message: 'must be a key' }] },
  ];
  const answers: Answers = {
    calls: {
      ...noSuchCalls,
      createPixPayout: () => Promise.resolve(outcomes.shift() ?? { outcome: 'unknown', reason: 'no more' }),
    },
    readPayout: () => ({ kind: 'not_found' }),
    readOrder: () => ({ kind: 'not_found' }),
    scan: () => [],
    ownerOf: () => null,
    wasReset: () => false,
  };
  const run = { id: 1, originalId: 1, afterReset: false, resetBefore: null };
  const input = { ...pixPayout('later'), method: 'pix' } as const;
  const payment = new PayoutPayment(input, factsOf('payout-later', run, clock));
  for (let step = 0; step < 2; step += 1) {
    const engine = new ScriptedEngine(payment, clock, answers);
    engine.timePasses = step > 0;
    await engine.live((loop) => payoutLifecycle(loop, payment));
  }
  expect(payment.view()).toMatchObject({ status: 'rejected', attention: 'payout_failed', closed: false });
  expect(payment.attempts[0]?.error).toBe(
    'Not sent again. It is not usable: pix must be a key. The service had answered that it did nothing.',
  );
});
