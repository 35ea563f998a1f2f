import type { PostbackReceived } from '../../src/contract/messages.js';
import type { PaymentState } from '../../src/contract/state.js';
import type { PaymentKind } from '../../src/domain/kinds.js';
import type { Refused } from '../../src/domain/refused.js';
import type { Command } from './commands.js';
import { PaymentRecord, type RecordSnapshot } from './payment-record.js';
import { ReadSchedule, type ReadScheduleSnapshot } from './read-schedule.js';
import type { Run } from './run.js';
import { readStartInput, type StartInput } from './start-input.js';

/** What every payment carries through a continue-as-new. */
export type PaymentSnapshot = { record: RecordSnapshot; reads: ReadScheduleSnapshot };

/** What every payment has: what its input asks for, what is known of it, and when it is read next. */
export abstract class Payment<State extends PaymentState = PaymentState> {
  readonly start: StartInput;
  readonly record: PaymentRecord;
  readonly reads: ReadSchedule;
  /** A run that came about by a reset sends nothing: the payment goes on in a fresh one. */
  needsFreshRun = false;

  /**
   * @param named the object of the input that holds partner_code and value
   * @param options the object of the input that holds watch_days, poll_scale and notify
   */
  constructor(
    readonly run: Run,
    readonly kind: PaymentKind,
    { named, options, watchDays }: { named: unknown; options: unknown; watchDays: number },
    snapshot: PaymentSnapshot | undefined,
  ) {
    this.start = readStartInput(run, kind, named, options, watchDays);
    this.record = new PaymentRecord(run, kind, this.start, snapshot?.record);
    this.reads = new ReadSchedule(run, this.start.scale, snapshot?.reads);
  }

  abstract view(): State;

  /** Why the current stage does not take this command; undefined when it does. */
  abstract refusalOf(command: Command): Refused | undefined;

  /** What a run that continues this one needs; plain JSON. */
  snapshot(): PaymentSnapshot {
    return { record: this.record.snapshot(), reads: this.reads.data };
  }

  /** Of a payout: the number of its latest attempt. */
  attemptNumber(): number | null {
    return null;
  }

  /** Ties a command to the state in which it came in. */
  bind(command: Command): Command {
    return command;
  }

  onPostback(_postback: PostbackReceived): void {
    // A hint alone, unless a payment waits for what it says.
  }

  now(): number {
    return this.run.now();
  }

  /** A time that the input's poll_scale stretches or shortens. */
  scaled(ms: number): number {
    return ms * this.start.scale;
  }
}
