import { setCurrentDetails, upsertSearchAttributes, workflowInfo } from '@temporalio/workflow';
import type { Notify, PaymentNotification } from '../../src/contract/notify.js';
import type { PayoutState, ReadCause, StoryEntry } from '../../src/contract/state.js';
import { attentions, attentionTexts, type Attention } from '../../src/domain/attention.js';
import type { PaymentKind } from '../../src/domain/kinds.js';
import { toDecimal } from '../../src/domain/money.js';
import { searchAttributes } from '../../src/domain/search-attributes.js';
import { currentDetails } from './current-details.js';
import { Notifier, type NotifierCarry } from './notifier.js';

/** Who commanded something, and why. */
export type Operator = { by?: string | undefined; reason?: string | undefined };

/** Everything of a record that a continue-as-new hands over. */
export type RecordCarry = {
  serviceId: string | null;
  status: string;
  changedAt: number;
  updatedAt: number;
  raised: Partial<Record<Attention, string>>;
  refusal: string | null;
  lastRead: { at: number; cause: ReadCause; status: string | null } | null;
  story: StoryEntry[];
  notifications?: NotifierCarry;
};

/** The part of a state that every kind of payment has. */
export type CommonState = Omit<PayoutState, 'kind' | 'method' | 'attempts'>;

const maxStory = 60;

/**
 * What is known of one payment: its status, why a person is needed, its story. Changes are collected and reach
 * the search attributes and the Web UI in one merged upsert by {@link publish}.
 */
export class PaymentRecord {
  readonly #carry: RecordCarry;
  readonly #published: Record<string, unknown>;
  readonly #notifier: Notifier | undefined;
  #nextReadCause: ReadCause | null = null;
  #awaiting = 'the first answer of the service';
  #nextReadAt: number | null = null;
  #closed = false;

  constructor(
    readonly kind: PaymentKind,
    readonly partnerCode: string,
    readonly valueCentavos: number,
    firstStatus: string,
    carried?: RecordCarry,
    notify?: Notify,
  ) {
    const now = Date.now();
    this.#carry = carried ?? {
      serviceId: null,
      status: firstStatus,
      changedAt: now,
      updatedAt: now,
      raised: {},
      refusal: null,
      lastRead: null,
      story: [],
    };
    if (notify !== undefined) {
      this.#notifier = new Notifier(notify, (what) => this.note(what), carried?.notifications);
    }
    this.#published = Object.fromEntries(
      workflowInfo()
        .typedSearchAttributes.getAll()
        .map(({ key, value }) => [key.name, value]),
    );
  }

  get status(): string {
    return this.#carry.status;
  }

  get serviceId(): string | null {
    return this.#carry.serviceId;
  }

  /** When the status last changed, in milliseconds since the epoch. */
  get changedAt(): number {
    return this.#carry.changedAt;
  }

  /** The gravest of the reasons for which a person is needed. */
  get attention(): Attention | null {
    return attentions.find((attention) => this.#carry.raised[attention] !== undefined) ?? null;
  }

  /** Takes the payment to another status and tells why. The same status again is no change. */
  moveTo(status: string, what: string, operator: Operator = {}): void {
    if (status === this.#carry.status) return;
    this.#carry.status = status;
    this.#carry.changedAt = Date.now();
    this.note(what, operator);
    this.#notifier?.add('payment.status_changed', this.#shownToOms(this.attention));
  }

  identify(serviceId: string): void {
    this.#carry.serviceId = serviceId;
  }

  /** Adds a line to the story. */
  note(what: string, { by, reason }: Operator = {}): void {
    const entry: StoryEntry = { at: iso(Date.now()), what };
    if (by !== undefined) entry.by = by;
    if (reason !== undefined) entry.reason = reason;
    this.#carry.story.push(entry);
    if (this.#carry.story.length > maxStory) this.#carry.story.splice(1, 1);
    this.#carry.updatedAt = Date.now();
  }

  /** Calls a person. The detail says what happened; what it means and what to do stands in the table. */
  raise(attention: Attention, detail: string): void {
    if (this.#carry.raised[attention] === detail) return;
    const isNew = !this.isRaised(attention);
    this.#carry.raised[attention] = detail;
    this.note(`A person is needed (${attention}): ${detail}`);
    if (isNew) this.#notifier?.add('payment.attention', this.#shownToOms(attention));
  }

  /** Whether a person was called for this and not yet dismissed. */
  isRaised(attention: Attention): boolean {
    return this.#carry.raised[attention] !== undefined;
  }

  /** Takes a call back, because its cause is gone or a person has seen to it. */
  lower(...lowered: Attention[]): void {
    for (const attention of lowered) {
      if (this.#carry.raised[attention] === undefined) continue;
      this.#carry.raised = Object.fromEntries(
        Object.entries(this.#carry.raised).filter(([name]) => name !== attention),
      );
      this.#carry.updatedAt = Date.now();
    }
  }

  refusedBecause(words: string): void {
    this.#carry.refusal = words;
  }

  wasRead(cause: ReadCause, status: string | null): void {
    this.#carry.lastRead = { at: Date.now(), cause, status };
  }

  /** Says what the payment waits for, until when the next read is due at the latest. */
  expect(awaiting: string, nextReadAt: number | null, cause: ReadCause | null = null): void {
    this.#awaiting = awaiting;
    this.#nextReadCause = nextReadAt === null ? null : cause;
    this.#nextReadAt = nextReadAt;
  }

  close(): void {
    this.#closed = true;
    this.expect('nothing: this payment is closed', null);
  }

  state(): CommonState {
    const { lastRead, raised, refusal, serviceId, status, story, updatedAt } = this.#carry;
    const attention = this.attention;
    return {
      partner_code: this.partnerCode,
      workflow_id: workflowInfo().workflowId,
      service_id: serviceId,
      status,
      attention,
      attention_detail: attention === null ? null : describeAttention(attention, raised[attention]),
      value: toDecimal(this.valueCentavos),
      updated_at: iso(updatedAt),
      closed: this.#closed,
      awaiting: this.#awaiting,
      refusal,
      last_read: lastRead && { ...lastRead, at: iso(lastRead.at) },
      next_read_at: this.#nextReadAt === null ? null : iso(this.#nextReadAt),
      next_read_cause: this.#nextReadCause,
      story: [...story],
    };
  }

  /**
   * Brings search attributes and current details up to date: one event at most, none when nothing changed. Sets off
   * what the OMS is to be told, which is not awaited.
   */
  publish(): void {
    const wanted: Record<string, string | number | null> = {
      PaymentKind: this.kind,
      PaymentStatus: this.#carry.status,
      PaymentAttention: this.attention,
      PaymentPartnerCode: this.partnerCode,
      PaymentServiceId: this.#carry.serviceId,
      PaymentValue: this.valueCentavos === 0 ? null : toDecimal(this.valueCentavos),
    };
    const updates = Object.values(searchAttributes).flatMap((key) => {
      const value = wanted[key.name];
      // What others set, such as PaymentOwner at the start, stays as it is.
      if (value === undefined || key.type === 'DATETIME') return [];
      if ((this.#published[key.name] ?? null) === value) return [];
      this.#published[key.name] = value;
      return [attributeUpdate(key, value)];
    });
    if (updates.length > 0) upsertSearchAttributes(updates);
    setCurrentDetails(currentDetails(this.kind, this.state()));
    void this.#notifier?.tell();
  }

  /** Before the payment closes: what the OMS was not told yet lives on in a workflow of its own. */
  async handOverNotifications(): Promise<void> {
    await this.#notifier?.handOver();
  }

  carry(): RecordCarry {
    if (this.#notifier === undefined) return this.#carry;
    return { ...this.#carry, notifications: this.#notifier.carry() };
  }

  #shownToOms(attention: Attention | null): PaymentNotification['payment'] {
    return {
      kind: this.kind,
      partner_code: this.partnerCode,
      workflow_id: workflowInfo().workflowId,
      service_id: this.#carry.serviceId,
      status: this.#carry.status,
      attention,
      value: toDecimal(this.valueCentavos),
    };
  }
}

type AttributeKey = Exclude<(typeof searchAttributes)[keyof typeof searchAttributes], { type: 'DATETIME' }>;

function attributeUpdate(key: AttributeKey, value: string | number | null) {
  return key.type === 'DOUBLE'
    ? { key, value: typeof value === 'number' ? value : null }
    : { key, value: typeof value === 'string' ? value : null };
}

function describeAttention(attention: Attention, detail = ''): string {
  const { meaning, action } = attentionTexts[attention];
  return `${detail} ${meaning} What to do: ${action}`.trim();
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
