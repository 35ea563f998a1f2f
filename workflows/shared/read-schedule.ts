import type { ReadCause } from '../../src/contract/state.js';
import { nextReadDelayMs, type CadenceStep } from '../../src/domain/cadence.js';
import type { Run } from './context.js';

/** What a read schedule carries through a continue-as-new. */
export type ReadScheduleSnapshot = {
  /** null for never: Infinity does not survive JSON. */
  nextReadAt: number | null;
  hintGapMs: number;
  lastReadAt: number;
  cause: ReadCause;
};

const firstHintGapMs = 1_000;
const longestHintGapMs = 300_000;

/**
 * When the next read is due and why: on schedule, or at once by a hint. A hint costs one read at most; without a
 * change of status between them, further hints make reads due at growing intervals only.
 */
export class ReadSchedule {
  #nextReadAt: number;
  #hintGapMs: number;
  #lastReadAt: number;
  #cause: ReadCause;

  constructor(
    private readonly run: Run,
    private readonly scale: number,
    snapshot?: ReadScheduleSnapshot,
  ) {
    this.#nextReadAt = snapshot?.nextReadAt ?? Infinity;
    this.#hintGapMs = snapshot?.hintGapMs ?? 0;
    this.#lastReadAt = snapshot?.lastReadAt ?? 0;
    this.#cause = snapshot?.cause ?? 'cadence';
  }

  get nextReadAt(): number {
    return this.#nextReadAt;
  }

  /** When the last read began; 0 before the first. */
  get lastReadAt(): number {
    return this.#lastReadAt;
  }

  get cause(): ReadCause {
    return this.#cause;
  }

  /** A postback or another hint came in. */
  hint(cause: ReadCause): void {
    const at = Math.max(this.run.now(), this.#lastReadAt + this.#hintGapMs);
    if (at < this.#nextReadAt) this.dueAt(at, cause);
  }

  dueNow(cause: ReadCause): void {
    this.dueAt(this.run.now(), cause);
  }

  dueAt(at: number, cause: ReadCause = 'cadence'): void {
    this.#nextReadAt = at;
    this.#cause = cause;
  }

  /** Called as a read begins: hints that come in from now on make another one due. Answers why this read is made. */
  begin(): ReadCause {
    const cause = this.run.now() < this.#nextReadAt ? 'deadline' : this.#cause;
    const gap = Math.max(this.#hintGapMs * 2, firstHintGapMs * this.scale);
    if (cause === 'postback' || cause === 'hint') {
      this.#hintGapMs = Math.min(gap, longestHintGapMs * this.scale);
    }
    this.#nextReadAt = Infinity;
    this.#cause = 'cadence';
    this.#lastReadAt = this.run.now();
    return cause;
  }

  /** A change of status restarts everything: the next hint is followed at once. */
  changed(): void {
    this.#hintGapMs = 0;
  }

  /** Sets the next read by the cadence, unless a hint has made an earlier one due. */
  plan(cadence: readonly CadenceStep[], changedAt: number): void {
    const now = this.run.now();
    const sinceChangeMs = (now - changedAt) / this.scale;
    const at = now + nextReadDelayMs(cadence, sinceChangeMs, this.run.random()) * this.scale;
    if (at < this.#nextReadAt) this.dueAt(at);
  }

  snapshot(): ReadScheduleSnapshot {
    return {
      nextReadAt: Number.isFinite(this.#nextReadAt) ? this.#nextReadAt : null,
      hintGapMs: this.#hintGapMs,
      lastReadAt: this.#lastReadAt,
      cause: this.#cause,
    };
  }
}
