import type { PaymentNotification } from '../../src/contract/notify.js';
import type { Attention } from '../../src/domain/attention.js';
import { without, type Conclusions } from '../../src/domain/conclusions.js';
import type { PaymentKind } from '../../src/domain/kinds.js';
import {
  attentionOf,
  commonState,
  firstExpectation,
  newRecord,
  summaryOf,
  type CommonState,
  type Expectation,
  type LastReadCause,
  type PaymentIdentity,
  type ReadCause,
  type RecordData,
  type SharedIdentifier,
  type Shown,
} from '../../src/domain/payment-record.js';
import {
  accepting,
  acknowledgedAs,
  afterReset,
  concluded,
  noted,
  notRead,
  readAs,
} from '../../src/domain/record-changes.js';
import { isSameIdentifier } from '../../src/domain/service-ids.js';
import type { Operator } from '../../src/domain/timeline.js';
import type { Run } from './run.js';
import { NotificationQueue, type NotificationQueueSnapshot } from './notification-queue.js';
import type { StartInput } from './start-input.js';

/** Everything of a record that is carried through a continue-as-new. */
export type RecordSnapshot = RecordData & { notifications?: NotificationQueueSnapshot };

/**
 * What is known of one payment: its status, why an operator is needed, its timeline. How that changes:
 * `src/domain/record-changes.ts`.
 */
export class PaymentRecord {
  readonly notifications: NotificationQueue | undefined;
  data: RecordData;
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

  /** Changes single facts; a status and a reason for an operator have methods of their own. */
  set(changes: Partial<RecordData>): void {
    this.data = { ...this.data, ...changes };
  }

  /** An operator has accepted one more amount. */
  accept(centavos: number): void {
    if (!this.rightCentavos.includes(centavos)) this.data = accepting(this.data, centavos);
  }

  /** Shows what follows from all that is known. @param what happened, for the timeline, where it has changed the status */
  conclude(conclusions: Conclusions, what: string, operator?: Operator): void {
    this.data = concluded(this.data, conclusions, { what, now: this.run.now(), operator });
  }

  /** An operator has dealt with why one was needed. */
  acknowledge(attention: Attention): void {
    this.data = acknowledgedAs(this.data, attention);
  }

  /** What was acknowledged of it is shown again, while it lasts. */
  withdrawAcknowledgement(attention: Attention): void {
    this.data = { ...this.data, acknowledged: without(this.data.acknowledged, attention) };
  }

  needsOperatorFor(attention: Attention): boolean {
    return this.data.needs[attention] !== undefined;
  }

  /** Adds a line to the timeline. */
  note(what: string, operator?: Operator): void {
    this.data = noted(this.data, what, this.run.now(), operator);
  }

  /** A read worked; `status` is what it showed. @param at when it was made, where that was not now */
  wasRead(cause: LastReadCause, status: string | null, at = this.run.now()): void {
    const knownAt = this.run.now();
    this.data = readAs(this.data, { at, cause, status, ...(at < knownAt && { knownAt }) });
  }

  /** A read did not work. */
  couldNotBeRead(cause: ReadCause, why: string): void {
    this.data = notRead(this.data, { cause, why }, this.run.now(), this.start.scale);
  }

  /** `runId` names the run when it came about by a reset: whether that had not been noticed yet. */
  noticesReset(runId: string | null): boolean {
    if (runId === null || runId === this.data.resetRunId) return false;
    this.data = afterReset(this.data, runId);
    return true;
  }

  /** What the payment waits for, and when the next read is due. */
  expect(awaiting: string, nextRead: Expectation['nextRead']): void {
    if (!this.closed) this.#expectation = { awaiting, nextRead, closed: false };
  }

  close(): void {
    this.#expectation = { awaiting: 'nothing: this payment is closed', nextRead: null, closed: true };
  }

  /** The identifier that another payment has as well, until its owner was checked. */
  get contested(): SharedIdentifier | undefined {
    const { serviceId, shared } = this.data;
    if (shared === undefined || shared.isExamined) return undefined;
    return isSameIdentifier(shared.serviceId, serviceId) ? shared : undefined;
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
    if (this.notifications === undefined) return;
    const shown = { kind: this.kind, ...summaryOf(this.#identity, this.data), attempt };
    const dropped = this.notifications.update(shown, new Date(this.run.now()).toISOString());
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
