import { expect, test } from 'vitest';
import { addToTimeline } from '../../src/domain/timeline.js';

type Entry = Parameters<typeof addToTimeline>[1];

function timelineOf(...entries: readonly Omit<Entry, 'at'>[]): Entry[] {
  const timeline: Entry[] = [];
  for (const [index, entry] of entries.entries()) addToTimeline(timeline, { at: String(index), ...entry });
  return timeline;
}

test('a line that repeats the one before it is merged with it, and counted', () => {
  expect(timelineOf({ what: 'a' }, { what: 'a' }, { what: 'a' })).toEqual([
    { at: '0', what: 'a', times: 3, last_at: '2' },
  ]);
  expect(timelineOf({ what: 'a' }, { what: 'b' }, { what: 'a' })).toHaveLength(3);
});

test('a line that names who decided is merged with none', () => {
  expect(timelineOf({ what: 'a', by: 'ana' }, { what: 'a' })).toHaveLength(2);
  expect(timelineOf({ what: 'a' }, { what: 'a', by: 'ana' })).toHaveLength(2);
  expect(timelineOf({ what: 'a', by: 'ana' }, { what: 'a', by: 'ana' })).toHaveLength(2);
});

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
