import { InvalidArgumentError } from 'commander';
import { z } from 'zod';
import { moment } from '../../contract/fields.js';
import { UsageError } from '../shared/exit.js';

/** What is claimed from the one moment on, and before the other. */
export type Period = { readonly fromMs: number; readonly toMs: number };

const dateOrMoment = z.union([z.iso.date(), moment]);

/** A date, which begins at midnight UTC, or a time with an offset: milliseconds since the epoch. */
export function momentMs(text: string): number {
  if (dateOrMoment.safeParse(text).success) return Date.parse(text);
  throw new InvalidArgumentError(
    'It must be a date such as 2026-11-01 (midnight UTC), or a time such as 2026-11-01T00:00:00-03:00.',
  );
}

/** @throws UsageError when nothing can lie in between */
export function periodOf(fromMs: number, toMs: number): Period {
  if (fromMs < toMs) return { fromMs, toMs };
  throw new UsageError('--from must be before --to, and before now. Nothing was read.');
}

export function includes({ fromMs, toMs }: Period, timeMs: number): boolean {
  return timeMs >= fromMs && timeMs < toMs;
}
