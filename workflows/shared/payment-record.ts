import type { Notify, PaymentNotification } from '../../src/contract/notify.js';
import type { PayoutState, ReadCause, TimelineEntry } from '../../src/contract/state.js';
import { attentions, attentionTexts, type Attention } from '../../src/domain/attention.js';
import type { PaymentKind } from '../../src/domain/kinds.js';
import { toDecimal } from '../../src/domain/money.js';
import type { Run } from './context.js';
import { NotificationQueue, type NotificationQueueSnapshot } from './notification-queue.js';
import { addToTimeline } from './timeline.js';

/** Who commanded something, and why. */
export type Operator = { by?: string | undefined; reason?: string | undefined };

/** Everything of a record that is carried through a continue-as-new. */
export type RecordSnapshot = {
  serviceId: string | null;
  status: string;
  cause: string | null;
  changedAt: number;
  updatedAt: number;
  raised: Partial<Record<Attention, string>>;
  refusal: string | null;
  lastRead: { at: number; cause: ReadCause; status: string | null } | null;
  /** Since when no read has worked; null while reads work, or before the first one. */
  unreadableSince: number | null;
  /** The amount that an operator has accepted in the place of what was asked for. */
  acceptedCentavos: number | null;
  timeline: TimelineEntry[];
  notifications?: NotificationQueueSnapshot;
};

/** The part of a state that every kind of payment has. */
export type CommonState = Omit<PayoutState, 'kind' | 'method' | 'attempts' | 'send_before'>;

export type NewRecord = {
  run: Run;
  kind: PaymentKind;
  partnerCode: string;
  valueCentavos: number;
  firstStatus: string;
  notify: Notify | undefined;
  snapshot: RecordSnapshot | undefined;
};

/** No read worked for so long: an operator is asked. */
const unreadableAttentionMs = 60 * 60_000;

/** What is known of one payment: its status, why an operator is needed, its timeline. */
export class PaymentRecord {
  readonly kind: PaymentKind;
  readonly partnerCode: string;
  readonly valueCentavos: number;
  readonly notifications: NotificationQueue | undefined;
  readonly #run: Run;
  readonly #facts: RecordSnapshot;
  #awaiting = 'the first answer of the service';
  #nextRead: { at: number; cause: ReadCause } | null = null;
  #closed = false;

  constructor({ run, kind, partnerCode, valueCentavos, firstStatus, notify, snapshot }: NewRecord) {
    this.kind = kind;
    this.partnerCode = partnerCode;
    this.valueCentavos = valueCentavos;
    this.#run = run;
    const now = run.now();
    this.#facts = snapshot ?? {
      serviceId: null,
      status: firstStatus,
      cause: null,
      changedAt: now,
      updatedAt: now,
      raised: {},
      refusal: null,
      lastRead: null,
      unreadableSince: null,
      acceptedCentavos: null,
      timeline: [],
    };
    if (notify !== undefined) {
      this.notifications = new NotificationQueue(notify, run.runId, snapshot?.notifications);
    }
  }

  get status(): string {
    return this.#facts.status;
  }

  get serviceId(): string | null {
    return this.#facts.serviceId;
  }

  /** When the status last changed: milliseconds since the epoch. */
  get changedAt(): number {
    return this.#facts.changedAt;
  }

  get updatedAt(): number {
    return this.#facts.updatedAt;
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The amount that the service may show: what was asked for, or what an operator has accepted. */
  get expectedCentavos(): number {
    return this.#facts.acceptedCentavos ?? this.valueCentavos;
  }

  /** The gravest of the reasons for which an operator is needed. */
  get attention(): Attention | null {
    return attentions.find((attention) => this.#facts.raised[attention] !== undefined) ?? null;
  }

  /** Takes the payment to another status. The same status again is no change. */
  moveTo(status: string, what: string, operator: Operator = {}): void {
    if (status === this.#facts.status) return;
    this.#facts.status = status;
    this.#facts.changedAt = this.#run.now();
    this.note(what, operator);
  }

  identify(serviceId: string): void {
    this.#facts.serviceId = serviceId;
  }

  /** Why the payment failed, of the closed list; null while it has not. */
  failedBecause(cause: string | null): void {
    this.#facts.cause = cause;
  }

  /** Adds a line to the timeline. */
  note(what: string, { by, reason }: Operator = {}): void {
    addToTimeline(this.#facts.timeline, {
      at: iso(this.#run.now()),
      what,
      ...(by !== undefined && { by }),
      ...(reason !== undefined && { reason }),
    });
    this.#facts.updatedAt = this.#run.now();
  }

  /** Asks for an operator. The detail says what happened; what it means and what to do stands in the table. */
  raise(attention: Attention, detail: string): void {
    if (this.#facts.raised[attention] === detail) return;
    this.#facts.raised[attention] = detail;
    this.note(`Needs an operator (${attention}): ${detail}`);
  }

  isRaised(attention: Attention): boolean {
    return this.#facts.raised[attention] !== undefined;
  }

  /** Withdraws an attention, because its cause is gone or an operator has dealt with it. */
  lower(...lowered: Attention[]): void {
    for (const attention of lowered) {
      if (this.#facts.raised[attention] === undefined) continue;
      this.#facts.raised = Object.fromEntries(
        Object.entries(this.#facts.raised).filter(([name]) => name !== attention),
      );
      this.#facts.updatedAt = this.#run.now();
    }
  }

  /** From now on the service may show another amount, such as one net of fees. */
  acceptValue(centavos: number): void {
    this.#facts.acceptedCentavos = centavos;
  }

  refusedBecause(words: string): void {
    this.#facts.refusal = words;
  }

  /** A read worked; `status` is what it showed. */
  wasRead(cause: ReadCause, status: string | null): void {
    this.#facts.lastRead = { at: this.#run.now(), cause, status };
    this.#facts.unreadableSince = null;
    this.lower('unreadable');
  }

  /** A read did not work; after an hour of such reads an operator is asked. */
  couldNotBeRead(cause: ReadCause, why: string, scale: number): void {
    const now = this.#run.now();
    this.#facts.lastRead = { at: now, cause, status: null };
    this.#facts.unreadableSince ??= now;
    if (now >= this.#facts.unreadableSince + unreadableAttentionMs * scale) {
      this.raise('unreadable', `No read has worked for an hour. ${why}`);
    }
  }

  /** What the payment waits for, and when the next read is due. */
  expect(awaiting: string, nextRead: { at: number; cause: ReadCause } | null): void {
    this.#awaiting = awaiting;
    this.#nextRead = nextRead;
  }

  close(): void {
    this.#closed = true;
    this.expect('nothing: this payment is closed', null);
  }

  state(): CommonState {
    const { cause, lastRead, raised, refusal, serviceId, status, timeline, updatedAt } = this.#facts;
    const attention = this.attention;
    return {
      partner_code: this.partnerCode,
      workflow_id: this.#run.workflowId,
      started_by: this.#run.owner,
      service_id: serviceId,
      status,
      cause,
      attention,
      attention_detail: attention === null ? null : describeAttention(attention, raised[attention]),
      value: toDecimal(this.valueCentavos),
      updated_at: iso(updatedAt),
      closed: this.#closed,
      closed_as: null,
      awaiting: this.#awaiting,
      refusal,
      last_read: lastRead && { ...lastRead, at: iso(lastRead.at) },
      next_read_at: this.#nextRead === null ? null : iso(this.#nextRead.at),
      next_read_cause: this.#nextRead?.cause ?? null,
      timeline: timeline.map((entry) => ({ ...entry })),
    };
  }

  /** Queues a notification when what an OMS sees of the payment has changed since the last one. */
  notifyChanges(attempt: number | null): void {
    const dropped = this.notifications?.update(this.#shownToOms(attempt), iso(this.#run.now())) ?? [];
    for (const notification of dropped) this.notDelivered(notification, 'too many wait');
  }

  notDelivered({ sequence, payment }: PaymentNotification, reason: string): void {
    this.note(`The OMS was not notified of ${payment.status} (notification ${String(sequence)}): ${reason}`);
  }

  snapshot(): RecordSnapshot {
    const notifications = this.notifications?.snapshot();
    return { ...this.#facts, ...(notifications !== undefined && { notifications }) };
  }

  #shownToOms(attempt: number | null): PaymentNotification['payment'] {
    const { cause, serviceId, status } = this.#facts;
    return {
      kind: this.kind,
      partner_code: this.partnerCode,
      workflow_id: this.#run.workflowId,
      service_id: serviceId,
      status,
      attention: this.attention,
      value: toDecimal(this.valueCentavos),
      attempt,
      cause,
    };
  }
}

function describeAttention(attention: Attention, detail = ''): string {
  const { meaning, action } = attentionTexts[attention];
  return `${detail} ${meaning} What to do: ${action}`.trim();
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
