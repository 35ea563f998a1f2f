import type { PostbackReceived } from '../../src/contract/messages.js';
import type { PaymentState } from '../../src/contract/state.js';
import type { Conclusions } from '../../src/domain/conclusions.js';
import type { CadenceStep } from '../../src/domain/cadence.js';
import type { Change } from '../../src/domain/change.js';
import type { CommonState } from '../../src/domain/payment-record.js';
import type { ReadSchedule as Schedule } from '../../src/domain/read-schedule.js';
import type { Operator } from '../../src/domain/timeline.js';
import { acknowledgeRefusal } from '../../src/domain/attention.js';
import type { PaymentKind } from '../../src/domain/kinds.js';
import type { Refused } from '../../src/domain/refused.js';
import {
  commandsOf,
  stageRefusal,
  type CommandName,
  type Stage,
  type StageTable,
} from '../../src/domain/stage-table.js';
import { CommandQueue } from './command-queue.js';
import type { Command } from './commands.js';
import { PaymentRecord, type RecordSnapshot } from './payment-record.js';
import { ReadSchedule } from './read-schedule.js';
import type { Run } from './run.js';
import { readStartInput, type StartInput } from './start-input.js';

type Beginning<Facts> = {
  readonly named: unknown;
  readonly options: unknown;
  readonly watchDays: number;
  readonly begin: (start: StartInput) => Facts;
};

/** What a payment carries through a continue-as-new. Plain JSON. */
export type PaymentSnapshot<Facts extends object = object> = {
  record: RecordSnapshot;
  reads: Schedule;
  data: Facts;
};

/**
 * What every payment has: what its input asks for, what is known of it, and when it is read next. Its facts are a value,
 * which pure functions in `src/domain` change, and from which others draw the conclusions.
 */
export abstract class Payment<State extends PaymentState = PaymentState, Facts extends object = object> {
  readonly start: StartInput;
  readonly record: PaymentRecord;
  readonly reads: ReadSchedule;
  readonly queue = new CommandQueue(() => this.now());
  /** The facts of its kind. */
  data: Facts;
  /** A run that came about by a reset sends nothing: the payment goes on in a fresh one. */
  needsFreshRun = false;

  /**
   * @param named the object of the input that holds partner_code and value
   * @param options the object of the input that holds watch_days, poll_scale and notify
   * @param begin what is known of it when it starts
   */
  constructor(
    readonly run: Run,
    readonly kind: PaymentKind,
    { begin, named, options, watchDays }: Beginning<Facts>,
    snapshot: PaymentSnapshot<Facts> | undefined,
  ) {
    this.start = readStartInput(run, kind, named, options, watchDays);
    this.record = new PaymentRecord(run, kind, this.start, snapshot?.record);
    this.reads = new ReadSchedule(run, this.start.scale, snapshot?.reads);
    this.data = snapshot?.data ?? begin(this.start);
  }

  abstract view(): State;

  /** What follows from all that is known of it. */
  protected abstract conclusions(): Conclusions;

  /** Sets the next read by a cadence, unless an earlier one is due. */
  readBy(cadence: readonly CadenceStep[]): void {
    const { changedAt, unreadableSince } = this.record.data;
    this.reads.plan({ cadence, changedAt, unreadableSince });
  }

  /** Notes what nothing follows from by itself. */
  set(changes: Partial<Facts>): void {
    this.data = { ...this.data, ...changes };
  }

  /** Notes what has changed, and shows what follows. @param operator who decided it: stands with the news, if there are any */
  apply({ news = [], what, ...changes }: Change<Facts>, operator?: Operator): void {
    this.data = { ...this.data, ...changes };
    for (const line of news) this.record.note(line, operator);
    this.conclude(what, news.length === 0 ? operator : undefined);
  }

  /** Shows what follows from all that is known. @param what happened, for the timeline, where it has changed the status */
  conclude(what = '', operator?: Operator): void {
    this.record.conclude(this.conclusions(), what, operator);
  }

  /** The stages of its lifecycle. */
  abstract readonly stages: StageTable;

  /** Its present stage: what it takes. */
  abstract get takes(): Stage;

  /** Why this command is not taken now; undefined when it is. */
  refusalOf(command: Command): Refused | undefined {
    if (command.name === 'acknowledgeAttention') {
      return acknowledgeRefusal(this.record.attention, command.message.attention);
    }
    const { kind, record, stages, takes } = this;
    return (
      stageRefusal({ kind, stage: takes, stages, status: record.status }, command.name) ??
      this.ruleAgainst(command)
    );
  }

  /** The commands that it takes now, by their names as Updates. */
  get commands(): CommandName[] {
    if (this.record.closed) return [];
    const isAcknowledged = acknowledgeRefusal(this.record.attention) === undefined;
    return [...commandsOf(this.takes), ...(isAcknowledged ? (['acknowledgeAttention'] as const) : [])];
  }

  /** What of a command that the stage takes speaks against executing it. */
  protected ruleAgainst(_command: Command): Refused | undefined {
    return undefined;
  }

  /** The part of its state that every kind of payment has. */
  commonState(): CommonState {
    const { commands, isStale, queue } = this;
    const { statements } = this.conclusions();
    return this.record.state({ commands, isStale, pending: queue.pending, statements });
  }

  /** Whether what came about in the time that a reset took back is not known yet. */
  protected get isStale(): boolean {
    return this.record.isUnreadSinceReset;
  }

  /** What a run that continues this one needs; plain JSON. */
  snapshot(): PaymentSnapshot<Facts> {
    return { record: this.record.snapshot(), reads: this.reads.data, data: this.data };
  }

  /** Of a payout: the number of its latest attempt. */
  attemptNumber(): number | null {
    return null;
  }

  /** Ties a command to the state in which it came in. */
  bind(command: Command): Command {
    return command;
  }

  /** A read has shown that this run came about by a reset. */
  resetNoticed(): void {
    // What was done in the time that it took back is seen by the reads of most payments.
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
