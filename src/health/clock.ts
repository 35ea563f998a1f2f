import type { HealthProblem } from './problem.js';

/** Payments go by Temporal's time. What differs more than that is worth knowing: logs and certificates go by this one. */
const toleranceMs = 5_000;

/** A problem when a clock is far from Temporal's. `aheadMs` is null when nothing is known. */
export function clockProblems(whose: string, aheadMs: number | null): HealthProblem[] {
  if (aheadMs === null || Math.abs(aheadMs) < toleranceMs) return [];
  const seconds = String(Math.round(Math.abs(aheadMs) / 1_000));
  const side = aheadMs > 0 ? 'ahead of' : 'behind';
  return [
    {
      check: 'clock',
      detail: `The clock of ${whose} is ${seconds} seconds ${side} Temporal’s. Payments go by Temporal’s time; logs, traces and certificates go by this clock.`,
      action: 'Set the clocks of all machines by NTP.',
    },
  ];
}
