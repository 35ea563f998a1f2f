import { expect, test } from 'vitest';
import { withLine, type TimelineEntry } from '../../src/domain/timeline.js';

type Line = Omit<TimelineEntry, 'at'>;

/** The timeline of these lines, a second each. */
function timelineOf(...lines: readonly Line[]): readonly TimelineEntry[] {
  return lines.reduce<readonly TimelineEntry[]>(
    (timeline, { what, ...operator }, index) => withLine(timeline, what, index * 1_000, operator),
    [],
  );
}

const second = (count: number) => `1970-01-01T00:00:0${String(count)}.000Z`;

test('a line that repeats the one before it is merged with it, and counted', () => {
  expect(timelineOf({ what: 'a' }, { what: 'a' }, { what: 'a' })).toEqual([
    { at: second(0), what: 'a', times: 3, last_at: second(2) },
  ]);
  expect(timelineOf({ what: 'a' }, { what: 'b' }, { what: 'a' })).toHaveLength(3);
});

const ana = { what: 'a', by: 'ana', reason: 'seen' };

test.for([
  ['the same decision for the same reason', [ana, ana], 1],
  ['the same decision for another reason', [ana, { ...ana, reason: 'seen again' }], 2],
  ['the same decision for no reason', [ana, { what: 'a', by: 'ana' }], 2],
  ['the same decision of somebody else', [ana, { ...ana, by: 'rui' }], 2],
  ['another decision', [ana, { ...ana, what: 'b' }], 2],
  ['what came about by itself', [{ what: 'a' }, ana, { what: 'a' }], 3],
  ['the same decision after something else', [ana, { what: 'b' }, ana], 3],
] as const)(
  'a line that names who decided is followed by %s: %j are so many lines',
  ([, entries, length]) => {
    const timeline = timelineOf(...entries);
    expect(timeline).toHaveLength(length);
    if (length === 1) expect(timeline).toEqual([{ at: second(0), ...ana, times: 2, last_at: second(1) }]);
  },
);

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ what: `line ${String(index)}` }));

test('of more than 60 lines the oldest is dropped but the first one', () => {
  expect(timelineOf(...lines(60))).toHaveLength(60);
  const timeline = timelineOf(...lines(62));
  expect(timeline).toHaveLength(60);
  expect(timeline.slice(0, 2).map(({ what }) => what)).toEqual(['line 0', 'line 3']);
});

test('who decided is never dropped, not even when nothing else is left', () => {
  const decisions = lines(65).map((line) => ({ ...line, by: 'ana' }));
  expect(timelineOf(...decisions)).toHaveLength(65);
  const [first, ...others] = timelineOf({ what: 'started' }, ...decisions);
  expect([first?.what, others.length]).toEqual(['started', 65]);
  const mixed = timelineOf({ what: 'decided', by: 'ana' }, { what: 'decided too', by: 'rui' }, ...lines(60));
  expect(mixed.slice(0, 3).map(({ what }) => what)).toEqual(['decided', 'decided too', 'line 2']);
});

const decided = (count: number) => lines(count).map((line) => ({ ...line, by: 'ana', reason: 'seen' }));
/** How often each decision was taken, by such lines. */
function takenIn(entries: readonly Line[]): Record<string, number> {
  const taken: Record<string, number> = {};
  for (const { by, reason, times = 1, what } of entries) {
    const name = [what, by, reason].join();
    if (by !== undefined) taken[name] = (taken[name] ?? 0) + times;
  }
  return taken;
}

test.for([
  ['60 decisions', decided(60), 60],
  ['65 decisions', decided(65), 65],
  ['65 decisions, each of them twice', [...decided(65), ...decided(65)], 65],
  ['65 decisions after 100 lines of what came about', [...lines(100), ...decided(65)], 66],
  ['65 decisions before 100 such lines', [...decided(65), ...lines(100)], 66],
  ['two decisions in turn, 4,000 times', Array.from({ length: 2_000 }, () => decided(2)).flat(), 60],
] as const)('of %s each is kept, in as few lines as that takes', ([, entries, length]) => {
  const timeline = timelineOf(...entries);
  expect(timeline).toHaveLength(length);
  expect(takenIn(timeline)).toEqual(takenIn(entries));
});

test('what came about last is shown, however many decisions there are', () => {
  expect(timelineOf(...decided(70), { what: 'failed' }).at(-1)?.what).toBe('failed');
  expect(timelineOf(...decided(70), ...lines(9)).at(-1)?.what).toBe('line 8');
});
