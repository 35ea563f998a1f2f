import { expect, test } from 'vitest';
import type { PayoutInput } from '../../src/contract/payout.js';
import { notPaid } from '../../src/domain/payout.js';
import type { CreationOutcome } from '../../src/domain/submission.js';
import { Refused } from '../../src/domain/refused.js';
import { ThreeDSecurePayment } from '../../workflows/order/three-d-secure-payment.js';
import { PayoutPayment } from '../../workflows/payout/payment.js';
import { payoutLifecycle } from '../../workflows/payout.js';
import { boundCommand } from '../../workflows/shared/incoming.js';
import { threeDSecureLifecycle } from '../../workflows/three-d-secure-order.js';
import { noSuchCalls, nothing } from '../exploration/no-such-calls.js';
import { order, partnerCode } from '../exploration/order-model.js';
import { card, customer } from '../simulation/lifecycles.js';
import type { Answers } from '../exploration/answers.js';
import { ScriptedEngine } from '../exploration/scripted-engine.js';
import {
  factsOf,
  firstRun as first,
  isReset,
  nextRun,
  startsAt,
  type RunFacts,
} from '../exploration/world.js';

const clock = { now: startsAt };
const reset = { ...first, id: 2 };
const afterIt = nextRun(reset, 3);

const outcome = (made: CreationOutcome) => () => Promise.resolve(made);
const opened = outcome({ outcome: 'answered', service_id: '7', status: null });
const throttled = outcome({ outcome: 'throttled', reason: '429', retry_after_ms: 600_000 });
const shown = { service_id: '7', partner_code: null, value_centavos: null };

/** A payout that reads as failed, and an order that reads as unpaid; the list can't be read. */
const answers: Answers = {
  ...nothing,
  calls: {
    ...noSuchCalls,
    ...{ createPixPayout: opened, createThreeDSecureOrder: opened, completeThreeDSecureOrder: throttled },
  },
  readPayout: () => ({ kind: 'read', reading: { ...shown, status: 'error', claimed_at: null } }),
  readOrder: () => ({ kind: 'read', reading: { ...shown, status: 'waiting_payment' } }),
};

const input: PayoutInput = {
  ...{ partner_code: 'a', value: 150.25, method: 'pix', pix: 'ana@example.com' },
  ...{ first_name: 'Ana', last_name: 'Silva', document: '52998224725' },
};

type Asked = 'retryPayout' | 'abandonPayout' | 'cancel';
type Commanded = { given?: Answers; before?: PayoutPayment; name?: Asked | undefined };

/** Lets a payout go on in a run to its next wait; returns it, and why its command was refused. */
async function liveIn(run: RunFacts, { before, given = answers, name }: Commanded = {}) {
  const facts = factsOf('payout-a', run, clock);
  const payment = new PayoutPayment(input, facts, before && structuredClone(before.snapshot()));
  const engine = new ScriptedEngine(payment, clock, { ...given, wasReset: () => isReset(run) });
  payment.reads.hint('hint');
  if (name === 'cancel') engine.loop.requestCancel();
  const command =
    name && name !== 'cancel' ? boundCommand(payment, name, { by: 'ana', reason: 'a test' }) : undefined;
  const refusal =
    command &&
    engine.loop.queue.execute(command).then(
      () => undefined,
      (reason: unknown) => reason,
    );
  await engine.live((loop) => payoutLifecycle(loop, payment));
  return { payment, refusal };
}

test('a failed payout says nothing about the money while its other attempts can not be looked for', async () => {
  const { payment: failed } = await liveIn(first);
  expect(failed.view().attention_detail).toContain('No money has reached the payee');
  const { payment: again } = await liveIn(reset, { before: failed });
  // A read of its first attempt has worked.
  expect(again.record.data.resetRunId).toBe('run-2');
  const { payment: later } = await liveIn(afterIt, { before: again });
  for (const payment of [again, later]) {
    const { attention, attention_detail: detail } = payment.view();
    expect(attention).toBe('payout_failed');
    expect(detail).toContain('The workflow was reset');
    expect(detail).not.toContain('No money has reached the payee');
  }
});

test('a payout whose list is still to be looked at does not say of a run that was not reset that it was', () => {
  const payment = new PayoutPayment(input, factsOf('payout-a', first, clock));
  payment.set({ owesScan: true });
  payment.apply(notPaid(payment.data));
  const { attention, attention_detail: detail } = payment.view();
  expect(attention).toBe('payout_failed');
  expect(detail).toContain('What to do: ');
  expect(detail).not.toContain('reset');
});

const third = { ...shown, service_id: '9', partner_code: 'a-r3', claimed_at: null };

test.for([
  ['shows another one moving', [{ ...third, status: 'processing' }], 'AlreadyMoving', 'processing'],
  ['can not be read', undefined, 'CouldNotRead', 'rejected'],
  ['shows none', [], undefined, 'abandoned'],
] as const)(
  'an attempt that waits is withdrawn after a reset while the list %s, and what may move is not given up',
  async ([, listed, refusedAs, status]) => {
    let scan: Answers['scan'] = () => [];
    const createPixPayout: Answers['calls']['createPixPayout'] = (call) =>
      call.attempt === 1 ? opened() : throttled();
    const given: Answers = {
      ...answers,
      calls: { ...answers.calls, createPixPayout },
      scan: (of) => scan(of),
    };
    const { payment: failed } = await liveIn(first, { given });
    const { payment: again } = await liveIn(reset, { given, before: failed });
    const { payment: waiting } = await liveIn(afterIt, { given, before: again, name: 'retryPayout' });
    expect(waiting.stage).toBe('submit');
    scan = () => listed && [...listed];
    const later = { ...afterIt, resetBefore: null };
    const { refusal: answer, payment } = await liveIn(later, {
      given,
      before: waiting,
      name: 'abandonPayout',
    });
    const refusal = await answer;
    expect(refusal instanceof Refused ? refusal.type : refusal).toBe(refusedAs);
    if (refusal instanceof Refused)
      expect(refusal.message).toContain('is withdrawn. The payout is not given up.');
    expect(payment.view()).toMatchObject({
      status,
      attempts: [{}, { status: 'rejected' }, ...(listed ?? []).map(() => ({}))],
    });
    const withdrawn = payment.view().timeline.find(({ what }) => what.includes('withdrawn'));
    expect(withdrawn).toMatchObject({ by: 'ana', reason: 'a test' });
  },
);

test.for<[string, number, Asked, RunFacts]>([
  ['a reset run', 2, 'retryPayout', reset],
  ['a reset run', 2, 'abandonPayout', reset],
  ['a reset run', 3, 'retryPayout', reset],
  ['a run that continues a reset one, and has read nothing,', 2, 'retryPayout', afterIt],
  ['a run that continues a reset one, and has read nothing,', 2, 'abandonPayout', afterIt],
])('%s finds attempt %i, which is done, before %s', async ([, number, name, run]) => {
  const { payment: failed } = await liveIn(first);
  const later = { ...third, partner_code: `a-r${String(number)}`, status: 'done' };
  const given: Answers = {
    ...answers,
    calls: noSuchCalls,
    readPayout: (id) => (id === later.service_id ? { kind: 'read', reading: later } : answers.readPayout(id)),
    scan: () => [later],
  };
  const { refusal: answer, payment } = await liveIn(run, { given, before: failed, name });
  const refusal = await answer;
  expect(refusal instanceof Refused && refusal.type).toBe('AlreadyMoving');
  expect(payment.view()).toMatchObject({ attention: null, attempts: [{}, { number, status: 'done' }] });
});

test('a reset run never shows a payout as failed whose later attempt is done', async () => {
  const readPayout: Answers['readPayout'] = () => ({
    kind: 'read',
    reading: { ...shown, status: 'claimed', claimed_at: null },
  });
  const { payment: claimed } = await liveIn(first, { given: { ...answers, readPayout } });
  const scan = () => [{ ...third, status: 'done' }];
  const { payment } = await liveIn(reset, { before: claimed, given: { ...answers, scan } });
  expect(payment.view()).toMatchObject({ status: 'done', attention: null });
  expect(JSON.stringify(payment.view().timeline)).not.toContain('payout_failed');
});

test('a reset run that is cancelled before it has sent anything finds what the run before has sent', async () => {
  const made = { ...shown, partner_code: 'a', status: 'claimed', claimed_at: null };
  const given: Answers = {
    ...{ ...answers, calls: noSuchCalls, scan: () => [made] },
    readPayout: () => ({ kind: 'read', reading: made }),
  };
  const { payment: cancelled } = await liveIn(reset, { given, name: 'cancel' });
  const { payment } = await liveIn(afterIt, { given, before: cancelled });
  expect(payment.view()).toMatchObject({ status: 'claimed', attention: null });
  expect(JSON.stringify(payment.view().timeline)).toContain('This run of the workflow is a reset');
});

test('a completion whose time is over is not called unsent: the run before may have sent it', async () => {
  const liveIn = async (run: RunFacts, before?: ThreeDSecurePayment, command?: object) => {
    const facts = factsOf(`order-${partnerCode}`, run, clock);
    const snapshot = before && structuredClone(before.snapshot());
    const payment = new ThreeDSecurePayment({ order, customer }, facts, snapshot);
    const engine = new ScriptedEngine(payment, clock, { ...answers, wasReset: () => isReset(run) });
    if (command !== undefined) {
      void engine.loop.queue.execute(boundCommand(payment, 'completeThreeDSecure', command));
    }
    await engine.live((loop) => threeDSecureLifecycle(loop, payment));
    return payment;
  };
  const awaiting = await liveIn(first);
  const putOff = await liveIn(first, awaiting, { callback: 'callback', eci: '05', card });
  expect(putOff.stage).toBe('complete');
  clock.now += 40 * 60_000;
  const expired = (await liveIn(first, putOff)).view();
  expect(expired.status).toBe('expired');
  expect(JSON.stringify(expired.timeline)).toContain('nothing was charged by it.');
  const { attention, status, timeline } = (await liveIn(reset, putOff)).view();
  expect({ attention, status }).toEqual({
    attention: 'submission_unknown',
    status: 'submission_unknown',
  });
  expect(JSON.stringify(timeline)).not.toContain('Nothing was charged');
});
