import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { retryPayouts } from '../../activities/retry-payouts.js';
import { startPayouts } from '../../activities/start-payouts.js';
import { freshCode, rowsOf } from '../support/requests.js';
import { turnsAt, type Turn } from '../../activities/shared/turns.js';
import { firstDispatch } from './support.js';

const perSecond = 1_000;

/** Calls wait for their turn the first times that somebody looks; what happens is written down in its order. */
function busyAtFirst(looks: number) {
  const happened: string[] = [];
  let left = looks;
  const turn = turnsAt(perSecond, () => {
    left -= 1;
    if (left >= 0) happened.push('calls wait');
    return Promise.resolve(left >= 0);
  });
  return { happened, turn };
}

/** Starts so many payouts of a batch, each in its turn. */
function startBatch(turn: Turn, count: number, started: () => void, dispatch = firstDispatch()) {
  const startPayout = () => {
    started();
    return Promise.resolve({ outcome: 'started' as const });
  };
  const start = startPayouts({ turn, ownerOf: () => Promise.resolve(undefined), startPayout });
  return dispatch.run(start, { payouts: rowsOf(count), starts_per_second: 200, timing: {} });
}

describe('while calls that create something wait for their turn', () => {
  test('a batch starts no payouts, and goes on then', async () => {
    const { happened, turn } = busyAtFirst(2);
    const outcomes = await startBatch(turn, 2, () => happened.push('started'));
    expect(outcomes).toEqual([{ outcome: 'started' }, { outcome: 'started' }]);
    expect(happened).toEqual(['calls wait', 'calls wait', 'started', 'started']);
  });

  test('a bulk retry sends no commands, and goes on then', async () => {
    const { happened, turn } = busyAtFirst(1);
    const retry = retryPayouts({
      turn,
      payoutState: () => Promise.resolve(undefined),
      retryPayout: () => {
        happened.push('retried');
        return Promise.resolve({ kind: 'taken' });
      },
    });
    const command = {
      bulk_retry_id: 'again',
      by: 'ana',
      per_second: 50,
      reason: 'the bank is back',
      filter: {},
    };
    const payouts = [{ partner_code: freshCode(), attempt: 1 }];
    expect(await firstDispatch().run(retry, { ...command, payouts })).toMatchObject([{ outcome: 'retried' }]);
    expect(happened).toEqual(['calls wait', 'retried']);
  });

  test('a batch that is cancelled ends at once', async () => {
    const dispatch = firstDispatch();
    const turn = turnsAt(perSecond, () => {
      dispatch.cancel();
      return Promise.resolve(true);
    });
    const started = () => expect.fail('It was started.');
    expect(await startBatch(turn, 1, started, dispatch)).toEqual([]);
  });
});

test('what waits for its turn for long sends heartbeats meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const dispatch = firstDispatch();
  let heartbeats = 0;
  dispatch.onHeartbeat(() => (heartbeats += 1));
  const turn = async () => {
    await vi.advanceTimersByTimeAsync(2_500);
    expect(heartbeats).toBe(2);
  };
  expect(await startBatch(turn, 1, () => undefined, dispatch)).toEqual([{ outcome: 'started' }]);
});

describe('turns', () => {
  const never = new AbortController().signal;

  test('come in the order in which they were asked for', async () => {
    let looks = 0;
    // The first one has to wait longer than the interval between two.
    const turn = turnsAt(100, () => Promise.resolve((looks += 1) === 1));
    const order: number[] = [];
    const asked = [1, 2, 3].map(async (number) => {
      await turn(never);
      order.push(number);
    });
    await Promise.all(asked);
    expect(order).toEqual([1, 2, 3]);
  });

  test('go on after one of which nobody knows whether calls wait', async () => {
    let looks = 0;
    const turn = turnsAt(perSecond, () =>
      (looks += 1) === 1 ? Promise.reject(new Error('no answer')) : Promise.resolve(false),
    );
    await expect(turn(never)).rejects.toThrow('no answer');
    await turn(never);
  });

  test('that nobody waits for any more are the next ones', async () => {
    const turn = turnsAt(1, () => Promise.resolve(false));
    // Each of these would put the last one off by a second.
    for (let given = 0; given < 600; given += 1) {
      const gone = new AbortController();
      const left = turn(gone.signal);
      await nextTick();
      gone.abort();
      await left;
    }
    await turn(never);
  });
});
