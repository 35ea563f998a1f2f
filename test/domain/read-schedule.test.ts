import { expect, test } from 'vitest';
import { watchCadence } from '../../src/domain/cadence.js';
import {
  begun,
  causeOfRead,
  dueAt,
  hinted,
  newSchedule,
  nextReadAt,
  planned,
  type ReadSchedule,
} from '../../src/domain/read-schedule.js';

const now = 1_000_000;
const second = 1_000;
const day = 86_400 * second;

test('a payment that begins has no read planned', () => {
  expect(nextReadAt(newSchedule)).toBe(Infinity);
  expect(newSchedule.nextReadAt).toBeNull();
});

test.for([
  ['a hint, and no read is planned', dueAt(newSchedule, Infinity), now, 'postback'],
  ['a hint, and a read is due later', dueAt(newSchedule, now + day), now, 'postback'],
  ['a hint, and a read is due already', dueAt(newSchedule, now - 1, 'command'), now - 1, 'command'],
  ['a hint that comes 400 ms after a hinted read', afterHints(1, now - 400), now + 600, 'postback'],
  ['a hint that comes 400 ms after three hinted reads', afterHints(3, now - 400), now + 3_600, 'postback'],
  ['a hint that comes long after', afterHints(3, now - day), now, 'postback'],
] as const)('after %s the next read is due by what comes first', ([, schedule, at, cause]) => {
  expect(hinted(schedule, 'postback', now)).toMatchObject({ nextReadAt: at, cause });
});

test('hints make reads due at growing intervals, up to five minutes; other reads change nothing of that', () => {
  const gaps = [1, 2, 3, 8, 9, 10, 20].map((reads) => afterHints(reads, now).hintGapMs / second);
  expect(gaps).toEqual([1, 2, 4, 128, 256, 300, 300]);
  const onSchedule = begun(dueAt(afterHints(3, now), now), now, 1);
  expect(onSchedule.hintGapMs).toBe(afterHints(3, now).hintGapMs);
  expect(afterHints(1, now, 0.1).hintGapMs).toBe(100);
});

test.for([
  ['on schedule', dueAt(newSchedule, now), 'cadence'],
  ['by a hint', hinted(newSchedule, 'hint', now), 'hint'],
  ['by a deadline, before what the schedule says', dueAt(newSchedule, now + 1, 'hint'), 'deadline'],
  ['by a deadline, when none is planned', newSchedule, 'deadline'],
] as const)('a read that is made %s says so, and leaves none planned', ([, schedule, cause]) => {
  expect(causeOfRead(schedule, now)).toBe(cause);
  expect(begun(schedule, now, 1)).toMatchObject({ nextReadAt: null, lastReadAt: now });
});

const quiet = { cadence: watchCadence, changedAt: now - 30 * day, unreadableSince: null, jitter: 0.5 };

test('a read that is planned comes no later than one that is due, and sooner while reads do not work', () => {
  const byCadence = nextReadAt(planned(newSchedule, quiet, now, 1));
  expect(byCadence).toBeGreaterThan(now + day / 2);
  expect(planned(dueAt(newSchedule, now + 1, 'hint'), quiet, now, 1)).toMatchObject({
    nextReadAt: now + 1,
    cause: 'hint',
  });
  const failing = nextReadAt(planned(newSchedule, { ...quiet, unreadableSince: now - 60 * second }, now, 1));
  expect(failing).toBeGreaterThan(now);
  expect(failing).toBeLessThan(byCadence);
});

test('all waits are stretched and shortened alike', () => {
  const quietly = { ...quiet, changedAt: now };
  const whole = nextReadAt(planned(newSchedule, quietly, now, 1)) - now;
  expect(nextReadAt(planned(newSchedule, quietly, now, 0.01)) - now).toBeCloseTo(whole / 100);
});

/** After so many reads that hints have made due, the last one at this time. */
function afterHints(reads: number, at: number, scale = 1): ReadSchedule {
  let schedule = newSchedule;
  for (let read = 0; read < reads; read += 1) schedule = begun(dueAt(schedule, at, 'hint'), at, scale);
  return schedule;
}
