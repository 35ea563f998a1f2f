import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { retryPayouts } from '../../activities/retry-payouts.js';
import type { OwnPaymentsDeps } from '../../activities/shared/deps.js';
import type { PayoutState } from '../../src/contract/state.js';
import { firstDispatch } from './support.js';

const never = new Promise<never>(() => undefined);
const withinMs = 50;
const retried = { outcome: 'retried', detail: null };
const unanswered = { outcome: 'unanswered', detail: 'It has not answered in time.' };

/** Thirty-one failed payouts, of which the second does not answer. */
const codes = Array.from({ length: 31 }, (_, index) => `rent-${String(index)}`);
const payouts = codes.map((partner_code) => ({ partner_code, attempt: 1 }));
const input = {
  ...{ bulk_retry_id: 'again', by: 'ana', per_second: 1_000, reason: 'the bank is back', payouts },
  filter: { method: 'pix' as const },
};
const one = { ...input, payouts: payouts.slice(0, 1) };
const silent = 'rent-1';

const failedAttempt = (number: number) => ({
  ...{ number, partner_code: 'rent-1', service_id: null, list_id: null, status: 'error' },
  ...{ cause: 'service_error', error: null, bulk_retry_id: null },
});
const failedPayout: PayoutState = {
  ...{ kind: 'payout', method: 'pix', partner_code: 'rent-1', workflow_id: 'payout-rent-1' },
  ...{ service_id: null, status: 'error', cause: 'service_error', attention: null, attention_detail: null },
  ...{ value: 150.25, updated_at: '2026-05-02T12:00:00.000Z', closed: false, awaiting: '', started_by: null },
  ...{ commands: [], pending_commands: [], retry_requires: null, send_before: null, timeline: [] },
  ...{ refusal: null, last_read: null, next_read_at: null, attempts: [failedAttempt(1), failedAttempt(2)] },
};
const retriedPayout = {
  ...{ ...failedPayout, status: 'claimed' },
  attempts: [failedAttempt(1), { ...failedAttempt(2), bulk_retry_id: 'again' }],
};

type Retry = OwnPaymentsDeps['retryPayout'];
const taken: Retry = () => Promise.resolve({ kind: 'taken' });
/** All are taken but the one that does not answer. */
const silentOnce: Retry = (...args) => (args[0] === silent ? never : taken(...args));

function retrying(retryPayout: Retry, boundMs = withinMs, state?: PayoutState) {
  return retryPayouts({ payoutState: () => Promise.resolve(state), retryPayout }, boundMs);
}

describe('the retries of failed payouts', () => {
  test('continue while one payout answers only after all others', async () => {
    let last = () => undefined as void;
    const lastIsStarted = new Promise<void>((resolve) => (last = resolve));
    const retry = retrying(async (code) => {
      if (code === codes.at(-1)) last();
      // Eight at a time: the others have to wait for one of them.
      await (code === silent ? lastIsStarted : sleep(20));
      return { kind: 'taken' };
    }, 60_000);
    expect(await firstDispatch().run(retry, input)).toEqual(codes.map(() => retried));
  });

  test('end without one that does not answer, which is reported as such', async () => {
    const outcomes = await firstDispatch().run(retrying(silentOnce), input);
    expect(outcomes).toEqual(codes.map((code) => (code === silent ? unanswered : retried)));
  });

  test('that are cancelled end at once, and report which were started', async () => {
    const dispatch = firstDispatch();
    let started = 0;
    const retry = retrying((...args) => {
      started += 1;
      if (started === 4) dispatch.cancel();
      return started === 4 ? never : silentOnce(...args);
    }, 60_000);
    expect(await dispatch.run(retry, input)).toEqual([retried, null, retried, null]);
    expect(started).toBe(4);
  });

  test('wait for their pace, and end at a cancellation meanwhile', async () => {
    const dispatch = firstDispatch();
    const started: string[] = [];
    const retry = retrying((code) => {
      started.push(code);
      return Promise.resolve({ kind: 'taken' });
    });
    const outcomes = dispatch.run(retry, { ...input, per_second: 0.001 });
    // Without a pace all of them are retried before that; with it none for a quarter of an hour.
    await sleep(20);
    dispatch.cancel();
    expect([await outcomes, started]).toEqual([[], []]);
  });

  test('are not repeated for payouts that had answered before the worker was lost', async () => {
    const dispatch = firstDispatch({ heartbeatDetails: [retried, null, retried] });
    const started: string[] = [];
    const retry = retrying((...args) => {
      started.push(args[0]);
      return taken(...args);
    });
    expect(await dispatch.run(retry, input)).toEqual(codes.map(() => retried));
    expect(started).toHaveLength(29);
    expect(started[0]).toBe(silent);
  });

  test('heartbeat while they wait for an answer', async () => {
    const dispatch = firstDispatch();
    let answer: (value: { kind: 'taken' }) => void = () => undefined;
    dispatch.onHeartbeat((details: unknown) => {
      if (Array.isArray(details) && details.length === 1) answer({ kind: 'taken' });
    });
    const retry = retrying(() => new Promise((resolve) => (answer = resolve)), 60_000);
    expect(await dispatch.run(retry, one)).toEqual([retried]);
  });

  const refused = (detail: string) => ({ outcome: 'refused', detail });

  test.for<[string, PayoutState | undefined, string, object]>([
    ['that does not answer then', undefined, 'NotAwaitingDecision', unanswered],
    ['that is not there', undefined, 'NotFound', refused('NotFound: So it is.')],
    ['that somebody has retried since', failedPayout, 'WrongAttempt', refused('WrongAttempt: So it is.')],
    ['that took the same command before', retriedPayout, 'WrongAttempt', retried],
  ])('report a refusal by a payout %s only after a read of it', async ([, state, reason, outcome]) => {
    const refuse: Retry = () => Promise.resolve({ kind: 'refused', reason, message: 'So it is.' });
    expect(await firstDispatch().run(retrying(refuse, withinMs, state), one)).toEqual([outcome]);
  });

  test('fail as a whole when one of them throws, so that Temporal retries the activity', async () => {
    const retry = retrying((...args) =>
      args[0] === silent ? Promise.reject(new Error('no Temporal')) : taken(...args),
    );
    await expect(firstDispatch().run(retry, input)).rejects.toThrow('no Temporal');
  });

  /** What a payout shows that did not answer when it was selected. */
  test.for<[string, Partial<PayoutState> | undefined, object, number[]]>([
    ['that does not answer yet', undefined, unanswered, []],
    ['that has failed and matches the filter', {}, retried, [2]],
    [
      'that does not match the filter',
      { method: 'transfer' },
      refused('It does not match the filter. Nothing was sent.'),
      [],
    ],
    ['that this bulk retry has retried before', retriedPayout, retried, []],
  ])('of a payout that was selected without an answer, one %s', async ([, changes, outcome, named]) => {
    const attempts: unknown[] = [];
    const noted: Retry = (...args) => {
      attempts.push(args[1].attempt);
      return taken(...args);
    };
    const retry = retrying(noted, withinMs, changes && { ...failedPayout, ...changes });
    const silentWhenSelected = { ...input, payouts: [{ partner_code: 'rent-1', attempt: null }] };
    expect(await firstDispatch().run(retry, silentWhenSelected)).toEqual([outcome]);
    expect(attempts).toEqual(named);
  });
});
