import { expect, test } from 'vitest';
import {
  afterRead,
  candidateDueAt,
  nextCandidate,
  noCandidates,
  withNamed,
  type Candidates,
} from '../../src/domain/candidates.js';

const minute = 60_000;
const day = 24 * 60 * minute;
const named = withNamed(noCandidates, '{"id":"o-1","order_id":"o-2"}');

/** Reads the one that is due first, and answers what is left of all. */
function read(candidates: Candidates, kind: 'read' | 'unreadable' | 'not_found', now = 0): Candidates {
  const next = nextCandidate(candidates);
  return next === undefined ? candidates : afterRead(candidates, next, kind, { now, scale: 1 });
}

test('an order that a postback names is due at once, and is kept once', () => {
  expect(named.shown).toEqual(['o-1', 'o-2']);
  expect(candidateDueAt(named)).toBe(0);
  expect(withNamed(named, '{"id":"o-1"}')).toEqual(named);
});

test('twenty are kept, and no more', () => {
  const many = Array.from({ length: 30 }, (_, index) => `{"id":"o-${String(index)}"}`).reduce(
    withNamed,
    noCandidates,
  );
  expect([many.shown.length, many.unread.length]).toEqual([20, 20]);
});

test('each is read in turn until none is left, and is shown all the same', () => {
  const one = read(named, 'read');
  expect(nextCandidate(one)).toMatchObject({ id: 'o-2' });
  const none = read(one, 'read');
  expect([nextCandidate(none), candidateDueAt(none), none.shown.length]).toEqual([undefined, Infinity, 2]);
});

test('one that could not be read is read again after a quarter of an hour, behind the others', () => {
  const later = read(named, 'unreadable', 1_000);
  expect(nextCandidate(later)).toMatchObject({ id: 'o-2' });
  expect(candidateDueAt(read(later, 'read'))).toBe(1_000 + 15 * minute);
});

test('one that the service does not know is read again ever more rarely, for more than five days', () => {
  let [candidates, now, reads] = [withNamed(noCandidates, '{"id":"o-1"}'), 0, 0];
  while (nextCandidate(candidates) !== undefined) {
    now = Math.max(now, candidateDueAt(candidates));
    candidates = read(candidates, 'not_found', now);
    reads += 1;
  }
  expect(reads).toBe(10);
  expect(now / day).toBeCloseTo((15 * (2 ** 9 - 1)) / (24 * 60));
  expect(candidates.shown).toEqual(['o-1']);
});
