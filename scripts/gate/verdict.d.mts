import type { Failure, Report } from './vitest.mjs';

export type FailureOfFile = Failure & { readonly file: string };
export type Verdict = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly broken: readonly string[];
  readonly flaky: readonly FailureOfFile[];
  readonly failures: readonly FailureOfFile[];
};

export function together(...reports: readonly Report[]): Report;
export function filesToRepeat(report: Report): string[];
export function verdict(first: Report, again?: Report): Verdict;
