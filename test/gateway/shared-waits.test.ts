import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { payoutInput } from '../../src/contract/payout.js';
import type { PayoutState } from '../../src/contract/state.js';
import { AtOnce } from '../../src/gateway/http/at-once.js';
import { startedPayout } from '../../src/gateway/payments/started-states.js';
import { SharedWaits } from '../../src/gateway/payments/shared-waits.js';
import { pixPayout } from '../support/requests.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const state = startedPayout(payoutInput.parse(pixPayout('rent-1')), 0);

/** A payment that has these statuses, one after the other, then the last of them; null is a query that fails. */
function payoutThat(...statuses: readonly (string | null)[]) {
  let queries = 0;
  const waits = new SharedWaits<PayoutState>(new AtOnce(100));
  const payment = {
    workflowId: 'payout-rent-1',
    awaitStatus: () => Promise.reject(new Error('No Update is sent.')),
    state: () => {
      const status = statuses[Math.min(queries, statuses.length - 1)];
      queries += 1;
      return typeof status === 'string'
        ? Promise.resolve({ ...state, status, closed: status === 'ended' })
        : Promise.reject(new Error('No worker answers.'));
    },
  };
  const wait = (wanted: string, waitMs: number) =>
    waits
      .wait(payment, { caller: 'shop', statuses: wanted.split(','), waitMs, by: 'query' })
      .then(({ status }) => status);
  return { wait, queries: () => queries, close: () => waits.close() };
}

describe('a wait by queries', () => {
  test('of fifty at once, for whichever status, shares them', async () => {
    const { queries, wait } = payoutThat('done');
    const all = Array.from({ length: 50 }, (_, at) => wait(at % 2 === 0 ? 'done' : 'done,error', 25_000));
    await vi.advanceTimersByTimeAsync(25_000);
    expect(new Set(await Promise.all(all))).toEqual(new Set(['done']));
    expect(queries()).toBe(1);
  });

  test('goes on after one that failed, and ends with one of its statuses, or with the payment', async () => {
    const done = payoutThat(null, 'processing', 'done').wait('done', 25_000);
    const ended = payoutThat('ended').wait('done', 25_000);
    await vi.advanceTimersByTimeAsync(24_000);
    expect(await Promise.all([done, ended])).toEqual(['done', 'ended']);
  });

  test('answers after its own time, however long another waits for the same', async () => {
    const { close, wait } = payoutThat('submitting');
    let isOver = false;
    const long = wait('done', 30_000).then((status) => {
      isOver = true;
      return status;
    });
    const short = wait('done', 300);
    await vi.advanceTimersByTimeAsync(300);
    expect(await short).toBe('submitting');
    expect(isOver).toBe(false);
    // As when its gateway closes.
    close();
    expect(await long).toBe('submitting');
  });
});

test('the more payments are waited for by queries, the less often each is asked', async () => {
  const [payments, seconds] = [300, 3];
  let queries = 0;
  const payment = (number: number) => ({
    workflowId: `payout-${String(number)}`,
    awaitStatus: () => Promise.reject(new Error('No Update is sent.')),
    state: () => {
      queries += 1;
      return Promise.resolve(state);
    },
  });
  const waits = new SharedWaits(new AtOnce(payments));
  const wait = { caller: 'shop', statuses: ['done'], waitMs: seconds * 1_000, by: 'query' as const };
  const all = Array.from({ length: payments }, (_, number) => waits.wait(payment(number), wait));
  await vi.advanceTimersByTimeAsync(wait.waitMs);
  await Promise.all(all);
  // Each at the end, and in all fifty a second before, give or take those of the first moments.
  expect(queries).toBeLessThan(payments + (seconds + 1) * 50);
});
