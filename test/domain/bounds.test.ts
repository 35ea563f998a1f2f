import { expect, test } from 'vitest';
import {
  dailyCadence,
  followCadence,
  payoutWatchCadence,
  reconciledCadence,
} from '../../src/domain/cadence.js';
import {
  creatingActivity,
  httpLimits,
  readingActivity,
  scanBackMs,
  workerShutdownGraceMs,
} from '../../src/domain/call-limits.js';
import { lingering } from '../../src/domain/lingering.js';
import { payoutCadence } from '../../src/domain/payout-cadence.js';
import { tokenRenewalDelayMs } from '../../src/domain/token-renewal.js';

test.for([
  ['submit', followCadence, reconciledCadence],
  ['verify', followCadence, reconciledCadence],
  ['follow', followCadence, reconciledCadence],
  ['resolve', dailyCadence, dailyCadence],
  ['decide', dailyCadence, dailyCadence],
  ['watch', payoutWatchCadence, payoutWatchCadence],
] as const)('a payout has its cadence in %s', ([stage, usual, reconciled]) => {
  expect(payoutCadence(stage, false)).toBe(usual);
  expect(payoutCadence(stage, true)).toBe(reconciled);
});

test('a rejected token is renewed at once, and more rarely when that happens again and again', () => {
  const delays = [0, 1, 2, 3, 4, 5, 99].map(tokenRenewalDelayMs);
  expect(delays).toEqual([0, 1_000, 5_000, 15_000, 60_000, 60_000, 60_000]);
});

test('a call that began in time, and lingered, is over before Temporal gives it up, and before its worker has stopped', () => {
  const { lastMomentToSendMs, startToCloseMs } = creatingActivity;
  expect(lastMomentToSendMs + httpLimits.totalMs + lingering.endsMs).toBeLessThan(startToCloseMs);
  expect(httpLimits.totalMs + lingering.endsMs).toBeLessThan(workerShutdownGraceMs);
});

test('the reads of a call that lingers all begin before it ends', () => {
  expect(lingering.readAfterMs.toSorted((a, b) => a - b)).toEqual(lingering.readAfterMs);
  expect(lingering.readAfterMs.at(-1)).toBeLessThan(lingering.endsMs);
});

test('a command that reads is answered within 20 s', () => {
  expect(readingActivity.startToCloseMs).toBeLessThan(20_000);
});

test('a scan goes back for 15 minutes, and for two weeks more where the id may have been used before', () => {
  expect(scanBackMs(true)).toBe(15 * 60_000);
  expect(scanBackMs(false)).toBe(15 * 60_000 + 14 * 24 * 3_600_000);
});
