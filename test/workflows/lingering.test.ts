import { expect, test } from 'vitest';
import type { PayoutInput } from '../../src/contract/payout.js';
import type { PayoutShown } from '../../src/domain/misfit.js';
import { PayoutPayment } from '../../workflows/payout/payment.js';
import { payoutLifecycle } from '../../workflows/payout.js';
import { noSuchCalls } from '../exploration/no-such-calls.js';
import type { Answers } from '../exploration/answers.js';
import { ScriptedEngine } from '../exploration/scripted-engine.js';
import { factsOf, startsAt } from '../exploration/world.js';

const input = {
  ...{ partner_code: 'a', value: 150.25, method: 'pix', pix: 'ana@example.com' },
  ...{ first_name: 'Ana', last_name: 'Silva', document: '52998224725' },
} satisfies PayoutInput;
const done = { service_id: '7', partner_code: 'a', value_centavos: 15_025, status: 'done' };

const answeredAt = startsAt + 1_500;

/** A payout that the service took as claimed, and of which its creating call has read this. */
async function made(shown: PayoutShown, readAt = startsAt, more: { watch_days?: number } = {}) {
  const read = { shown, read_at: new Date(readAt).toISOString() };
  const answered = { outcome: 'answered', service_id: '7', status: 'claimed', read } as const;
  const clock = { now: startsAt };
  const answers: Answers = {
    calls: {
      ...noSuchCalls,
      createPixPayout: () => {
        clock.now = answeredAt;
        return Promise.resolve(answered);
      },
    },
    readPayout: () => ({ kind: 'unreadable', reason: '503' }),
    readOrder: () => ({ kind: 'unreadable', reason: '503' }),
    scan: () => undefined,
    ownerOf: () => null,
    wasReset: () => false,
  };
  const run = { id: 1, originalId: 1, afterReset: false, resetBefore: null };
  const payment = new PayoutPayment({ ...input, ...more }, factsOf('payout-a', run, clock));
  const engine = new ScriptedEngine(payment, clock, answers);
  const halt = await engine.live((loop) => payoutLifecycle(loop, payment));
  return { halt: halt.kind, ...payment.view() };
}

test.for<[string, PayoutShown, object]>([
  ['done', done, { status: 'done', attention: null }],
  ['failed', { ...done, status: 'error' }, { status: 'error', attention: 'payout_failed' }],
  ['under way', { ...done, status: 'processing' }, { status: 'processing', attention: null }],
  ['without a status', { ...done, status: null }, { status: 'claimed', attention: null }],
  [
    'of another value',
    { ...done, value_centavos: 1 },
    { status: 'claimed', attention: 'inconsistent_answer' },
  ],
  [
    'of another identifier',
    { ...done, service_id: '8' },
    { status: 'claimed', attention: 'inconsistent_answer' },
  ],
  ['in an unknown status', { ...done, status: 'held' }, { status: 'held', attention: 'unrecognised_status' }],
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
    ...{ halt: 'ended', status: 'done' },
    last_read: { cause: 'creation' },
  });
});
