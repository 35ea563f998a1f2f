import { scanDelaysMs } from './cadence.js';

/** Scans after a submission of unknown outcome: from when on, and how many took place. */
export type PayoutScans = { from: number; done: number };

/** When the next scan is due: milliseconds since the epoch; Infinity when all took place. */
export function nextScanAt({ from, done }: PayoutScans, scale: number): number {
  const delayMs = scanDelaysMs[done];
  return delayMs === undefined ? Infinity : from + delayMs * scale;
}

/** When a scan that was not complete is made again: the more rarely, the longer it takes. */
export function nextRescanAt({ from }: PayoutScans, now: number, scale: number): number {
  return now + Math.min(Math.max((now - from) / 4, soonestRescanMs * scale), latestRescanMs * scale);
}

const soonestRescanMs = 5_000;
const latestRescanMs = 300_000;

/** Whether all scans should have taken place by now, whether or not they could. */
export function scansAreOver({ from }: PayoutScans, now: number, scale: number): boolean {
  return now >= from + (scanDelaysMs.at(-1) ?? 0) * scale;
}
