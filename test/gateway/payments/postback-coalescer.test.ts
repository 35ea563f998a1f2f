import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  PostbackCoalescer,
  type CoalescerOptions,
} from '../../../src/gateway/payments/postback-coalescer.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A coalescer whose signals are accepted when the test lets them be. */
function coalescing(options: Partial<CoalescerOptions<string, string>> = {}) {
  const sent: string[] = [];
  const open: { resolve: (answer: string) => void; reject: (error: Error) => void }[] = [];
  const signal = (key: string, hint: string) => {
    sent.push(`${key}:${hint}`);
    return new Promise<string>((resolve, reject) => open.push({ resolve, reject }));
  };
  const accept = async () => {
    open.shift()?.resolve('accepted');
    await vi.advanceTimersByTimeAsync(0);
  };
  const coalescer = new PostbackCoalescer({ signal, ...options });
  return { sent, accept, coalescer, fail: () => open.shift()?.reject(new Error('unreachable')) };
}

const settledOf = (promise: Promise<unknown>) => {
  const state = { settled: false };
  const settle = () => {
    state.settled = true;
  };
  promise.then(settle, settle);
  return state;
};

test('the first hint is signalled at once and answered after its signal', async () => {
  const { coalescer, sent, accept } = coalescing();
  const first = coalescer.offer('a', '1');
  const state = settledOf(first);
  expect(sent).toEqual(['a:1']);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(state.settled).toBe(false);
  await accept();
  expect(await first).toBe('accepted');
});

test('hints that come while a signal is under way share one trailing signal with the latest of them', async () => {
  const { coalescer, sent, accept } = coalescing({ intervalsMs: [250] });
  const first = coalescer.offer('a', '1');
  const others = ['2', '3', '4'].map((hint) => coalescer.offer('a', hint));
  const states = others.map(settledOf);
  await accept();
  expect(await first).toBe('accepted');
  await vi.advanceTimersByTimeAsync(249);
  expect(sent).toEqual(['a:1']);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual(['a:1', 'a:4']);
  expect(states.map(({ settled }) => settled)).toEqual([false, false, false]);
  await accept();
  expect(await Promise.all(others)).toEqual(['accepted', 'accepted', 'accepted']);
});

test('hints for other keys do not wait', async () => {
  const { coalescer, sent } = coalescing();
  void coalescer.offer('a', '1');
  void coalescer.offer('b', '1');
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['a:1', 'b:1']);
});

test('a stream of hints, each sent after the previous one was answered, is signalled at growing intervals', async () => {
  const at: number[] = [];
  const signal = () => {
    at.push(Date.now());
    return Promise.resolve('accepted');
  };
  const coalescer = new PostbackCoalescer({ signal, intervalsMs: [250, 500, 1_000] });
  const stream = (async () => {
    for (let i = 0; i < 6; i += 1) await coalescer.offer('a', String(i));
  })();
  await vi.advanceTimersByTimeAsync(10_000);
  await stream;
  expect(at.slice(1).map((time, i) => time - (at[i] ?? 0))).toEqual([250, 500, 1_000, 1_000, 1_000]);
});

test('100,000 hints over an hour cost fewer than 75 signals, which are 300 events of a history', async () => {
  let count = 0;
  const signal = () => {
    count += 1;
    return Promise.resolve('accepted');
  };
  const coalescer = new PostbackCoalescer({ signal });
  for (let second = 0; second < 3_600; second += 1) {
    for (let i = 0; i < 28; i += 1) void coalescer.offer('a', '');
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(count).toBeGreaterThan(50);
  expect(count).toBeLessThan(75);
});

test('after a silence a hint is signalled at once again, and the intervals begin anew', async () => {
  const { coalescer, sent, accept } = coalescing({ intervalsMs: [250, 500, 1_000] });
  for (const hint of ['1', '2', '3']) {
    void coalescer.offer('a', hint);
    await vi.advanceTimersByTimeAsync(1_000);
    await accept();
  }
  await vi.advanceTimersByTimeAsync(120_000);
  void coalescer.offer('a', '4');
  await accept();
  void coalescer.offer('a', '5');
  await vi.advanceTimersByTimeAsync(250);
  expect(sent.slice(-2)).toEqual(['a:4', 'a:5']);
});

test('a signal that fails fails all that it covers, and the next hint is signalled again', async () => {
  const { coalescer, sent, fail } = coalescing({ intervalsMs: [250] });
  const first = coalescer.offer('a', '1');
  const second = coalescer.offer('a', '2');
  fail();
  await expect(first).rejects.toThrow('unreachable');
  const failing = expect(second).rejects.toThrow('unreachable');
  await vi.advanceTimersByTimeAsync(250);
  fail();
  await failing;
  await vi.advanceTimersByTimeAsync(250);
  void coalescer.offer('a', '3');
  expect(sent).toEqual(['a:1', 'a:2', 'a:3']);
});

test('beyond the bound a hint is answered at once, and still covered by a signal', async () => {
  const { coalescer, sent, accept } = coalescing({ maxWaiting: 2, intervalsMs: [250] });
  void coalescer.offer('a', '1');
  void coalescer.offer('a', '2');
  expect(await coalescer.offer('a', '3')).toBe('not_awaited');
  expect(await coalescer.offer('b', '1')).toBe('not_awaited');
  await accept();
  await vi.advanceTimersByTimeAsync(250);
  expect(sent).toEqual(['a:1', 'b:1', 'a:3']);
});

test('a gateway that stops sends what waits without further intervals', async () => {
  const { coalescer, sent, accept } = coalescing({ intervalsMs: [60_000] });
  void coalescer.offer('a', '1');
  const last = coalescer.offer('a', '2');
  await accept();
  void coalescer.flush();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['a:1', 'a:2']);
  await accept();
  expect(await last).toBe('accepted');
});

test('a hint whose signal is long to come is answered sooner, and still signalled, until that works', async () => {
  const { coalescer, sent, accept, fail } = coalescing({ intervalsMs: [60_000], longestWaitMs: 15_000 });
  void coalescer.offer('a', '1');
  await accept();
  const second = coalescer.offer('a', '2');
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await second).toBe('not_awaited');
  expect(sent).toEqual(['a:1']);
  await vi.advanceTimersByTimeAsync(45_000);
  fail();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual(['a:1', 'a:2', 'a:2']);
});

test('a gateway that stops has stopped when its last signal was answered', async () => {
  const { coalescer, accept } = coalescing({ intervalsMs: [60_000] });
  void coalescer.offer('a', '1');
  const state = settledOf(coalescer.flush());
  await vi.advanceTimersByTimeAsync(1_000);
  expect(state.settled).toBe(false);
  await accept();
  expect(state.settled).toBe(true);
});

test('while signals fail, each sender is answered with it soon', async () => {
  const { coalescer: failing, fail } = coalescing({ intervalsMs: [250, 60_000] });
  const first = expect(failing.offer('a', '1')).rejects.toThrow('unreachable');
  const second = expect(failing.offer('a', '2')).rejects.toThrow('unreachable');
  fail();
  await first;
  await vi.advanceTimersByTimeAsync(250);
  fail();
  await second;
  const third = expect(failing.offer('a', '3')).rejects.toThrow('unreachable');
  await vi.advanceTimersByTimeAsync(250);
  fail();
  await third;
});

test('a first hint that is not urgent waits for one that is, and both share a signal', async () => {
  const { coalescer, sent, accept } = coalescing({ patienceMs: 3_000 });
  const first = coalescer.offer('a', '1', false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sent).toEqual([]);
  const second = coalescer.offer('a', '2');
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual(['a:2']);
  await accept();
  expect(await Promise.all([first, second])).toEqual(['accepted', 'accepted']);
});

test('a hint that is not urgent is signalled when nothing comes after it', async () => {
  const { coalescer, sent, accept } = coalescing({ patienceMs: 3_000 });
  const first = coalescer.offer('a', '1', false);
  await vi.advanceTimersByTimeAsync(2_999);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(sent).toEqual(['a:1']);
  await accept();
  expect(await first).toBe('accepted');
});

/** What stands before the colon. */
const subjectOf = (_key: string, hint: string) => hint.split(':')[0] ?? '';

/** Offers these hints within the interval after a first signal, and ends that interval. */
async function offerInInterval(hints: readonly string[], intervalMs = 250) {
  const { coalescer, sent, accept, fail } = coalescing({
    subjectOf,
    intervalsMs: [intervalMs],
    longestWaitMs: 15_000,
  });
  void coalescer.offer('a', 'x:1');
  await accept();
  const answers = hints.map((hint) => coalescer.offer('a', hint));
  await vi.advanceTimersByTimeAsync(intervalMs);
  return { accept, answers, coalescer, fail, sent };
}

test('of hints about different subjects within one interval the latest of each is signalled', async () => {
  const { accept, answers, sent } = await offerInInterval(['y:1', 'z:1', 'y:2']);
  await accept();
  await accept();
  expect(sent).toEqual(['a:x:1', 'a:z:1', 'a:y:2']);
  expect(await Promise.all(answers)).toEqual(['accepted', 'accepted', 'accepted']);
});

test('of hints about different subjects only the one that could not be signalled is signalled again', async () => {
  const { accept, coalescer, fail, sent } = await offerInInterval(['y:1', 'z:1'], 60_000);
  await accept();
  fail();
  await vi.advanceTimersByTimeAsync(0);
  void coalescer.offer('a', 'w:1');
  await vi.advanceTimersByTimeAsync(60_000);
  await accept();
  expect(sent).toEqual(['a:x:1', 'a:y:1', 'a:z:1', 'a:z:1', 'a:w:1']);
});

test('a hint that was answered early is signalled until that works, also together with later ones', async () => {
  const { coalescer, fail, sent } = await offerInInterval(['y:1'], 60_000);
  fail();
  await vi.advanceTimersByTimeAsync(50_000);
  const later = expect(coalescer.offer('a', 'z:1')).rejects.toThrow('unreachable');
  await vi.advanceTimersByTimeAsync(10_000);
  fail();
  await later;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toEqual(['a:x:1', 'a:y:1', 'a:y:1', 'a:y:1']);
});

test('an interval signals the latest twenty subjects of a flood', async () => {
  const flood = Array.from({ length: 1_000 }, (_, at) => `${String(at)}:1`);
  const { accept, sent } = await offerInInterval(flood);
  for (let at = 0; at < 30; at += 1) await accept();
  expect(sent).toHaveLength(21);
  expect(sent.at(-1)).toBe('a:999:1');
});
