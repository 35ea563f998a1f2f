import type { HealthProblem } from './problem.js';

/** Beyond it, the time in which a payment may be sent ends too early or too late. */
const toleranceMs = 5_000;

/** A problem when a clock is far from Temporal's. `aheadMs` is null when nothing is known. */
export function clockProblems(whose: string, aheadMs: number | null): HealthProblem[] {
  if (aheadMs === null || Math.abs(aheadMs) < toleranceMs) return [];
  const seconds = String(Math.round(Math.abs(aheadMs) / 1_000));
  const side = aheadMs > 0 ? 'ahead of' : 'behind';
  return [
    {
      check: 'clock',
      detail: `The clock of ${whose} is ${seconds} seconds ${side} Temporal’s: payments are sent late or not at all.`,
      action: 'Set the clocks of all machines by NTP.',
    },
  ];
}
