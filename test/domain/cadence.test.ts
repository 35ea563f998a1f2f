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
    ['of what is followed', 0, 5 * second, followCadence],
    ['of what is followed', 5 * second, 15 * second, followCadence],
    ['of what is followed', 20 * second, 30 * second, followCadence],
    ['of what is followed', minute, minute, followCadence],
    ['of what is followed', 16 * minute, 5 * minute, followCadence],
    ['of what is followed', 2 * hour, 15 * minute, followCadence],
    ['of what is followed', 2 * day, hour, followCadence],
    ['of what is followed', 8 * day, day, followCadence],
    ['of what is followed', 400 * day, day, followCadence],
    ['in its watch', 0, day, watchCadence],
    ['in its watch', 8 * day, 7 * day, watchCadence],
    ['in its watch', 30 * day, 60 * day, watchCadence],
    ['in the watch of a payout', 6 * day, day, payoutWatchCadence],
    ['in the watch of a payout', 8 * day, 2 * day, payoutWatchCadence],
    ['in the watch of a payout', 15 * day, 7 * day, payoutWatchCadence],
    ['of a payout that is reconciled', 0, 5 * second, reconciledCadence],
    ['of a payout that is reconciled', minute, hour, reconciledCadence],
    ['of a payout that is reconciled', 8 * day, day, reconciledCadence],
  ] as const)('%s, %s ms after a change, is %s ms', ([, since, delay, cadence]) => {
    expect(nextReadDelayMs(cadence, since, unjittered)).toBe(delay);
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
