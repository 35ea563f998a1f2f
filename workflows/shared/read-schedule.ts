import {
  begun,
  causeOfRead,
  dueAt,
  hinted,
  newSchedule,
  nextReadAt,
  planned,
  type Plan,
  type ReadSchedule as Schedule,
} from '../../src/domain/read-schedule.js';
import type { ReadCause } from '../../src/domain/payment-record.js';
import type { Run } from './run.js';

/** When the next read of a payment is due and why: `src/domain/read-schedule.ts`, with the run's clock. */
export class ReadSchedule {
  data: Schedule;
  readonly #jitter: number;

  constructor(
    private readonly run: Run,
    private readonly scale: number,
    data: Schedule = newSchedule,
  ) {
    this.#jitter = run.random();
    this.data = data;
  }

  get nextReadAt(): number {
    return nextReadAt(this.data);
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
    this.data = hinted(this.data, cause, this.run.now());
  }

  dueNow(cause: ReadCause): void {
    this.dueAt(this.run.now(), cause);
  }

  dueAt(at: number, cause?: ReadCause): void {
    this.data = dueAt(this.data, at, cause);
  }

  /** Called as a read begins. Answers why it is made. */
  begin(): ReadCause {
    const now = this.run.now();
    const cause = causeOfRead(this.data, now);
    this.data = begun(this.data, now, this.scale);
    return cause;
  }

  /** A change of status restarts everything: the next hint is followed at once. */
  changed(): void {
    this.data = { ...this.data, hintGapMs: 0 };
  }

  /** Sets the next read by a cadence, unless an earlier one is due. */
  plan(plan: Omit<Plan, 'jitter'>): void {
    this.data = planned(this.data, { ...plan, jitter: this.#jitter }, this.run.now(), this.scale);
  }
}
