import type { PaymentNotification } from '../../src/contract/notify.js';
import type { Attention } from '../../src/domain/attention.js';
import {
  joined,
  reasonsOf,
  stillAcknowledged,
  stillToSee,
  unacknowledged,
  without,
  type Conclusions,
} from '../../src/domain/conclusions.js';
import type { PaymentKind } from '../../src/domain/kinds.js';
import {
  attentionOf,
  commonState,
  firstExpectation,
  newRecord,
  summaryOf,
  type CommonState,
  type Expectation,
  type PaymentIdentity,
  type ReadCause,
  type RecordData,
  type Shown,
} from '../../src/domain/payment-record.js';
import { addToTimeline } from '../../src/domain/timeline.js';
import type { Run } from './run.js';
import { NotificationQueue, type NotificationQueueSnapshot } from './notification-queue.js';
import type { StartInput } from './start-input.js';

/** Who commanded something, and why. */
export type Operator = { by?: string | undefined; reason?: string | undefined };

/** Everything of a record that is carried through a continue-as-new. */
export type RecordSnapshot = RecordData & { notifications?: NotificationQueueSnapshot };

/** No read worked for so long: an operator is asked. */
const unreadableAttentionMs = 60 * 60_000;

/** What is known of one payment: its status, why an operator is needed, its timeline. */
export class PaymentRecord {
  readonly notifications: NotificationQueue | undefined;
  readonly data: RecordData;
  readonly #identity: PaymentIdentity;
  #expectation: Expectation = firstExpectation;

  constructor(
    private readonly run: Run,
    readonly kind: PaymentKind,
    private readonly start: StartInput,
    snapshot?: RecordSnapshot,
  ) {
    const { owner, workflowId } = run;
    const { partnerCode, valueCentavos } = start;
    this.#identity = { kind, partnerCode, workflowId, owner, valueCentavos };
    this.data = snapshot ?? newRecord(kind, run.now());
    if (start.notify !== undefined) {
      this.notifications = new NotificationQueue(start.notify, run.runId, snapshot?.notifications);
    }
  }

  get partnerCode(): string {
    return this.start.partnerCode;
  }

  get valueCentavos(): number {
    return this.start.valueCentavos;
  }

  get closed(): boolean {
    return this.#expectation.closed;
  }

  get status(): string {
    return this.data.status;
  }

  get serviceId(): string | null {
    return this.data.serviceId;
  }

  /** The read that the state announces; null when none. */
  get nextRead(): Expectation['nextRead'] {
    return this.#expectation.nextRead;
  }

  /** The amounts that the service may show: what was asked for, and what operators have accepted. */
  get rightCentavos(): readonly number[] {
    return [this.valueCentavos, ...(this.data.acceptedCentavos ?? [])];
  }

  /** The gravest of the reasons for which an operator is needed. */
  get attention(): Attention | null {
    return attentionOf(this.data);
  }

  /** An operator has accepted one more amount. */
  accept(centavos: number): void {
    if (this.rightCentavos.includes(centavos)) return;
    this.data.acceptedCentavos = [...(this.data.acceptedCentavos ?? []), centavos];
  }

  /**
   * Shows what follows from all that is known: a status, and why an operator is needed, but for what was acknowledged.
   *
   * @param what happened, for the timeline, where it has changed the status
   */
  conclude({ cause = null, needs, status }: Conclusions, what: string, operator: Operator = {}): void {
    const { data } = this;
    const now = this.run.now();
    data.cause = cause;
    if (status !== data.status) {
      Object.assign(data, { status, changedAt: now });
      if (what !== '') this.note(what, operator);
    }
    data.acknowledged = stillAcknowledged(data.acknowledged, needs);
    const before = data.needs;
    data.needs = stillToSee(before, unacknowledged(needs, data.acknowledged));
    for (const [attention, reason] of reasonsOf(data.needs)) {
      if (before[attention]?.includes(reason) !== true)
        this.note(`Needs an operator (${attention}): ${reason}`);
    }
    if (reasonsOf(before).length > reasonsOf(data.needs).length) data.updatedAt = now;
  }

  /** An operator has dealt with why one was needed. */
  acknowledge(attention: Attention): void {
    const { data } = this;
    data.acknowledged = joined(data.acknowledged, { [attention]: data.needs[attention] });
    data.needs = without(data.needs, attention);
  }

  needsOperatorFor(attention: Attention): boolean {
    return this.data.needs[attention] !== undefined;
  }

  /** Adds a line to the timeline. */
  note(what: string, { by, reason }: Operator = {}): void {
    const at = iso(this.run.now());
    addToTimeline(this.data.timeline, {
      at,
      what,
      ...(by !== undefined && { by }),
      ...(reason !== undefined && { reason }),
    });
    this.data.updatedAt = this.run.now();
  }

  /** A read worked; `status` is what it showed. */
  wasRead(cause: ReadCause, status: string | null): void {
    this.data.lastRead = { at: this.run.now(), cause, status };
    this.data.unreadableSince = null;
    this.data.unreadable = null;
  }

  /**
   * `runId` names the run when it came about by a reset: whether that had not been noticed yet. What was shown and
   * acknowledged in the time that it took back is not known.
   */
  noticesReset(runId: string | null): boolean {
    if (runId === null || runId === this.data.resetRunId) return false;
    this.data.resetRunId = runId;
    this.data.acknowledged = without(this.data.acknowledged, 'inconsistent_answer');
    return true;
  }

  /** A read did not work; after an hour of such reads an operator is needed. */
  couldNotBeRead(cause: ReadCause, why: string): void {
    const now = this.run.now();
    this.data.lastRead = { at: now, cause, status: null };
    this.data.unreadableSince ??= now;
    if (now >= this.data.unreadableSince + unreadableAttentionMs * this.start.scale) {
      this.data.unreadable = `No read has worked for an hour. ${why}`;
    }
  }

  /** What the payment waits for, and when the next read is due. */
  expect(awaiting: string, nextRead: Expectation['nextRead']): void {
    if (!this.closed) this.#expectation = { awaiting, nextRead, closed: false };
  }

  close(): void {
    this.#expectation = { awaiting: 'nothing: this payment is closed', nextRead: null, closed: true };
  }

  /** Whether this run came about by a reset, and nothing has been read since. */
  get isUnreadSinceReset(): boolean {
    const { isReset, runId } = this.run;
    return isReset && this.data.resetRunId !== runId;
  }

  /** @param moment what of it is shown beside what is recorded */
  state(moment: Omit<Shown, keyof Expectation>): CommonState {
    return commonState(this.#identity, this.data, { ...this.#expectation, ...moment });
  }

  /** Queues a notification when what an OMS sees of the payment has changed since the last one. */
  notifyChanges(attempt: number | null): void {
    const shown = { kind: this.kind, ...summaryOf(this.#identity, this.data), attempt };
    const dropped = this.notifications?.update(shown, iso(this.run.now())) ?? [];
    for (const notification of dropped) this.notDelivered(notification, 'too many wait');
  }

  notDelivered({ sequence, payment }: PaymentNotification, reason: string): void {
    this.note(`The OMS was not notified of ${payment.status} (notification ${String(sequence)}): ${reason}`);
  }

  snapshot(): RecordSnapshot {
    const notifications = this.notifications?.data;
    return { ...this.data, ...(notifications !== undefined && { notifications }) };
  }
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
