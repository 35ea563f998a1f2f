import { nextReadDelayMs, rereadDelayMs, type CadenceStep } from './cadence.js';
import type { ReadCause } from './payment-record.js';

/** When a payment is read next, and why. Plain JSON; times are milliseconds since the epoch. */
export type ReadSchedule = {
  /** null for never: Infinity does not survive JSON. */
  readonly nextReadAt: number | null;
  /** How long after the last read a hint makes the next one due. */
  readonly hintGapMs: number;
  /** When the last read began; 0 before the first. */
  readonly lastReadAt: number;
  readonly cause: ReadCause;
};

export const newSchedule: ReadSchedule = { nextReadAt: null, hintGapMs: 0, lastReadAt: 0, cause: 'cadence' };

/** What a read by the cadence depends on. */
export type Plan = {
  readonly cadence: readonly CadenceStep[];
  /** When the status last changed. */
  readonly changedAt: number;
  /**
   * Since when no read has worked, null while they do: then reads come sooner than by a cadence of days or weeks, and the
   * more rarely the longer it takes.
   */
  readonly unreadableSince: number | null;
  /** From 0 to 1, one for the run: payments are spread, and a read that is planned anew comes no earlier than before. */
  readonly jitter: number;
};

const firstHintGapMs = 1_000;
const longestHintGapMs = 300_000;

/** The next read is due at this time; Infinity for never. */
export function dueAt(schedule: ReadSchedule, at: number, cause: ReadCause = 'cadence'): ReadSchedule {
  return { ...schedule, nextReadAt: Number.isFinite(at) ? at : null, cause };
}

/**
 * A postback or another hint came in. It costs one read at most; without a change of status between them, further hints
 * make reads due at growing intervals only.
 */
export function hinted(schedule: ReadSchedule, cause: ReadCause, now: number): ReadSchedule {
  const at = Math.max(now, schedule.lastReadAt + schedule.hintGapMs);
  return at < nextReadAt(schedule) ? dueAt(schedule, at, cause) : schedule;
}

/** Why a read that begins now is made. */
export function causeOfRead(schedule: ReadSchedule, now: number): ReadCause {
  return now < nextReadAt(schedule) ? 'deadline' : schedule.cause;
}

/** A read begins: hints that come in from now on make another one due. */
export function begun(schedule: ReadSchedule, now: number, scale: number): ReadSchedule {
  const cause = causeOfRead(schedule, now);
  const begins = { ...dueAt(schedule, Infinity), lastReadAt: now };
  if (cause !== 'postback' && cause !== 'hint') return begins;
  const gapMs = Math.max(schedule.hintGapMs * 2, firstHintGapMs * scale);
  return { ...begins, hintGapMs: Math.min(gapMs, longestHintGapMs * scale) };
}

/** Sets the next read by the cadence, unless an earlier one is due. */
export function planned(schedule: ReadSchedule, plan: Plan, now: number, scale: number): ReadSchedule {
  const { cadence, changedAt, unreadableSince, jitter } = plan;
  const byCadenceMs = nextReadDelayMs(cadence, (now - changedAt) / scale, jitter);
  const rereadMs = unreadableSince === null ? Infinity : rereadDelayMs((now - unreadableSince) / scale);
  const at = now + Math.min(byCadenceMs, rereadMs) * scale;
  return at < nextReadAt(schedule) ? dueAt(schedule, at) : schedule;
}

export function nextReadAt({ nextReadAt: at }: ReadSchedule): number {
  return at ?? Infinity;
}
