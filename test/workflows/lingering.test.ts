import { expect, test } from 'vitest';
import type { PayoutInput } from '../../src/contract/payout.js';
import type { PayoutShown } from '../../src/domain/misfit.js';
import type { CreationOutcome } from '../../src/domain/submission.js';
import { PayoutPayment } from '../../workflows/payout/payment.js';
import { payoutLifecycle } from '../../workflows/payout.js';
import { noSuchCalls, nothing } from '../exploration/no-such-calls.js';
import { ScriptedEngine } from '../exploration/scripted-engine.js';
import { factsOf, firstRun, startsAt } from '../exploration/world.js';

const input = {
  ...{ partner_code: 'a', value: 150.25, method: 'pix', pix: 'ana@example.com' },
  ...{ first_name: 'Ana', last_name: 'Silva', document: '52998224725' },
} satisfies PayoutInput;
const done = { service_id: '7', partner_code: 'a', value_centavos: 15_025, status: 'done' };

const answeredAt = startsAt + 1_500;

/** A payout whose creating calls answer this, one after the other; what it was not asked for can not be read. */
async function created(outcomes: readonly CreationOutcome[], more: { watch_days?: number } = {}) {
  const clock = { now: startsAt };
  const answers = outcomes.values();
  const createPixPayout = () => {
    clock.now = Math.max(clock.now, answeredAt);
    return Promise.resolve(answers.next().value ?? { outcome: 'unknown' as const, reason: 'no more' });
  };
  const calls = { ...noSuchCalls, createPixPayout };
  const payment = new PayoutPayment({ ...input, ...more }, factsOf('payout-a', firstRun, clock));
  const scan = () => (outcomes.length > 1 ? [] : undefined);
  let halt = '';
  for (const [step] of outcomes.entries()) {
    const engine = new ScriptedEngine(payment, clock, { ...nothing, calls, scan });
    engine.timePasses = step > 0;
    halt = (await engine.live((loop) => payoutLifecycle(loop, payment))).kind;
  }
  return { halt, ...payment.view() };
}

/** One that the service took as claimed, and of which its creating call has read this. */
function made(shown: PayoutShown, readAt = startsAt, more: { watch_days?: number } = {}) {
  const read = { shown, read_at: new Date(readAt).toISOString() };
  return created([{ outcome: 'answered', service_id: '7', status: 'claimed', read }], more);
}

const mismatch = { status: 'claimed', attention: 'inconsistent_answer' };
test.for<[string, PayoutShown, object]>([
  ['done', done, { status: 'done', attention: null }],
  ['failed', { ...done, status: 'error' }, { status: 'error', attention: 'payout_failed' }],
  ['without a status', { ...done, status: null }, { status: 'claimed', attention: null }],
  ['of another value', { ...done, value_centavos: 1 }, mismatch],
])('a payout that its creating call has read as %s is shown as such', async ([, read, expected]) => {
  expect(await made(read)).toMatchObject({ service_id: '7', ...expected });
});

test.for([
  ['its own', startsAt + 900, startsAt + 900],
  ['that of the start, where the clock of a worker is behind', startsAt - 60_000, startsAt],
  ['that of the answer, where the clock of a worker is ahead', startsAt + 60_000, answeredAt],
] as const)('the time of what a creating call has read is %s', async ([, readAt, shownAt]) => {
  const at = new Date(shownAt).toISOString();
  expect((await made(done, readAt)).last_read).toEqual({ at, cause: 'creation', status: 'done' });
});

test('a payout without a watch closes with what its creating call has read: no further read is made', async () => {
  expect(await made(done, startsAt + 900, { watch_days: 0 })).toMatchObject({
    ...{ halt: 'ended', status: 'done', last_read: { cause: 'creation' } },
  });
});

/** A worker of another release may refuse what an earlier one has sent. */
test('a payout that was answered 429, and is then not usable, is not shown as unsent', async () => {
  const payout = await created([
    { outcome: 'throttled', reason: 'The service answered 429.', retry_after_ms: null },
    { outcome: 'invalid_input', problems: [{ field: 'pix', message: 'must be a key' }] },
  ]);
  expect(payout).toMatchObject({ status: 'rejected', attention: 'payout_failed', closed: false });
  expect(payout.attempts[0]?.error).toBe(
    'Not sent again. It is not usable: pix must be a key. The service had answered that it did nothing.',
  );
});
