import { describe, expect, test } from 'vitest';
import {
  delayAt,
  followCadence,
  nextReadDelayMs,
  scanDelaysMs,
  watchCadence,
} from '../../src/domain/cadence.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const unjittered = 0.5;

describe('the cadence of reads', () => {
  test.for([
    [0, 5 * second],
    [5 * second, 15 * second],
    [20 * second, 30 * second],
    [minute, minute],
    [16 * minute, 5 * minute],
    [2 * hour, 15 * minute],
    [2 * day, hour],
    [8 * day, day],
    [400 * day, day],
  ])('%s ms after a change is %s ms', ([since = 0, delay]) => {
    expect(nextReadDelayMs(followCadence, since, unjittered)).toBe(delay);
  });

  test('in the watch is daily for a week, then weekly', () => {
    expect(nextReadDelayMs(watchCadence, 0, unjittered)).toBe(day);
    expect(nextReadDelayMs(watchCadence, 8 * day, unjittered)).toBe(7 * day);
  });

  test('is jittered by a tenth to both sides', () => {
    expect(nextReadDelayMs(watchCadence, 0, 0)).toBe(0.9 * day);
    expect(nextReadDelayMs(watchCadence, 0, 0.999_999)).toBeLessThanOrEqual(1.1 * day);
  });

  test('of scans ends after half an hour', () => {
    expect(scanDelaysMs).toEqual([10 * second, minute, 5 * minute, 15 * minute, 30 * minute]);
  });

  test('of a list stays at its last delay', () => {
    expect([0, 1, 9].map((index) => delayAt([10, 20], index))).toEqual([10, 20, 20]);
  });
});
