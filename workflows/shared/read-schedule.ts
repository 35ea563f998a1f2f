import type { ReadCause } from '../../src/domain/payment-record.js';
import { nextReadDelayMs, rereadDelayMs, type CadenceStep } from '../../src/domain/cadence.js';
import type { Run } from './run.js';

/** What a read schedule carries through a continue-as-new. */
export type ReadScheduleSnapshot = {
  /** null for never: Infinity does not survive JSON. */
  nextReadAt: number | null;
  hintGapMs: number;
  /** When the last read began; 0 before the first. */
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
  readonly data: ReadScheduleSnapshot;
  /** When a read was last asked for, to be made at once where it may be; 0 before the first. */
  askedAt = 0;
  /** One for the run: payments are spread, and a read that is planned anew comes no earlier than the one it replaces. */
  readonly #jitter: number;

  constructor(
    private readonly run: Run,
    private readonly scale: number,
    snapshot?: ReadScheduleSnapshot,
  ) {
    this.#jitter = run.random();
    this.data = snapshot ?? { nextReadAt: null, hintGapMs: 0, lastReadAt: 0, cause: 'cadence' };
  }

  get nextReadAt(): number {
    return this.data.nextReadAt ?? Infinity;
  }

  /** The next read as operators see it; null when none is planned. */
  get next(): { at: number; cause: ReadCause } | null {
    return this.data.nextReadAt === null ? null : { at: this.data.nextReadAt, cause: this.data.cause };
  }

  /** A moment at which one read is due beside the schedule; Infinity once a read has begun since. */
  onceDueAt(at: number): number {
    return this.data.lastReadAt < at ? at : Infinity;
  }

  /** A postback or another hint came in. */
  hint(cause: ReadCause): void {
    this.askedAt = this.run.now();
    const at = Math.max(this.askedAt, this.data.lastReadAt + this.data.hintGapMs);
    if (at < this.nextReadAt) this.dueAt(at, cause);
  }

  dueNow(cause: ReadCause): void {
    this.askedAt = this.run.now();
    this.dueAt(this.askedAt, cause);
  }

  dueAt(at: number, cause: ReadCause = 'cadence'): void {
    this.#boundByNow();
    this.data.nextReadAt = Number.isFinite(at) ? at : null;
    this.data.cause = cause;
  }

  /** Called as a read begins: hints that come in from now on make another one due. Answers why this read is made. */
  begin(): ReadCause {
    const cause = this.run.now() < this.nextReadAt ? 'deadline' : this.data.cause;
    if (cause === 'postback' || cause === 'hint') {
      const gapMs = Math.max(this.data.hintGapMs * 2, firstHintGapMs * this.scale);
      this.data.hintGapMs = Math.min(gapMs, longestHintGapMs * this.scale);
    }
    this.dueAt(Infinity);
    this.data.lastReadAt = this.run.now();
    return cause;
  }

  /** A change of status restarts everything: the next hint is followed at once. */
  changed(): void {
    this.data.hintGapMs = 0;
  }

  /**
   * Sets the next read by the cadence, unless a hint has made an earlier one due.
   *
   * @param failingSince since when no read has worked, null while they do: then reads come sooner than by a cadence of
   *   days or weeks, and the more rarely the longer it takes
   */
  plan(cadence: readonly CadenceStep[], changedAt: number, failingSince: number | null): void {
    this.#boundByNow();
    const now = this.run.now();
    const byCadenceMs = nextReadDelayMs(cadence, (now - changedAt) / this.scale, this.#jitter);
    const rereadMs = failingSince === null ? Infinity : rereadDelayMs((now - failingSince) / this.scale);
    const at = now + Math.min(byCadenceMs, rereadMs) * this.scale;
    if (at < this.nextReadAt) this.dueAt(at);
  }

  /** In a replay a read may seem to begin, or be asked for, later than its marker then says that it is now. */
  #boundByNow(): void {
    this.data.lastReadAt = Math.min(this.data.lastReadAt, this.run.now());
    this.askedAt = Math.min(this.askedAt, this.run.now());
  }
}
