import { describe, expect, test } from 'vitest';
import {
  delayAt,
  followCadence,
  nextReadDelayMs,
  payoutWatchCadence,
  reconciledCadence,
  rereadDelayMs,
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

  test('in the watch is daily for a week, then weekly, then rarer', () => {
    expect(nextReadDelayMs(watchCadence, 0, unjittered)).toBe(day);
    expect(nextReadDelayMs(watchCadence, 8 * day, unjittered)).toBe(7 * day);
    expect(nextReadDelayMs(watchCadence, 30 * day, unjittered)).toBe(60 * day);
  });

  test.for([0, 0.5, 0.999_999])(
    'reads an order 14 times at most in its watch of 180 days, with jitter %s',
    (random) => {
      let reads = 0;
      for (let at = 0; at < 180 * day; reads += 1) at += nextReadDelayMs(watchCadence, at, random);
      // The last read is at the end of the watch.
      expect(reads).toBeLessThanOrEqual(14);
    },
  );

  test.for([
    [6 * day, day],
    [8 * day, 2 * day],
    [15 * day, 7 * day],
  ])('in the watch of a payout, %s ms after a change, is %s ms', ([since = 0, delay]) => {
    expect(nextReadDelayMs(payoutWatchCadence, since, unjittered)).toBe(delay);
  });

  test.for([
    [0, 5 * second],
    [minute, hour],
    [8 * day, day],
  ])('of a payout that is reconciled, %s ms after a change, is %s ms', ([since = 0, delay]) => {
    expect(nextReadDelayMs(reconciledCadence, since, unjittered)).toBe(delay);
  });

  test.for([
    [0, 5 * minute],
    [8 * minute, 5 * minute],
    [hour, 30 * minute],
    [day, 6 * hour],
  ])('after %s ms without a read that worked is %s ms', ([failing = 0, delay]) => {
    expect(rereadDelayMs(failing)).toBe(delay);
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
