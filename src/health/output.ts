import type { HealthProblem } from './problem.js';

/** A reader may be slow for a moment. */
const tolerableMs = 5_000;

/** A problem while nobody reads the log and the audit stream of this process. */
export function outputProblems({ dropped, stuckMs }: { dropped: number; stuckMs: number }): HealthProblem[] {
  if (dropped === 0 && stuckMs < tolerableMs) return [];
  const lost = dropped === 0 ? '' : `, and ${String(dropped)} were dropped`;
  return [
    {
      check: 'output',
      detail: `Nobody reads the standard output of this gateway: lines of its log and audit stream wait${lost}.`,
      action: 'Look at what collects the log of this gateway, and at its disk.',
    },
  ];
}
