import { attentions, attentionTexts, type Attention } from './attention.js';
import { firstAwaited, firstStatus, type PaymentKind } from './kinds.js';
import type { Needs, Statements } from './conclusions.js';
import { toDecimal } from './money.js';
import type { CommandName } from './stage-table.js';
import type { TimelineEntry } from './timeline.js';

/** What makes a read due. */
export const readCauses = ['cadence', 'postback', 'hint', 'command', 'deadline'] as const;
export type ReadCause = (typeof readCauses)[number];

/** What made the last read: one that was due, or the call that created the payment. */
export const lastReadCauses = [...readCauses, 'creation'] as const;
export type LastReadCause = (typeof lastReadCauses)[number];

/** What never changes of a payment. */
export type PaymentIdentity = {
  kind: PaymentKind;
  partnerCode: string;
  workflowId: string;
  /** The name of the API key that started it; null when a bare SDK did. */
  owner: string | null;
  valueCentavos: number;
};

/** An identifier of this payment that another one has as well. */
export type SharedIdentifier = {
  readonly serviceId: string;
  /** Of the other payment. */
  readonly workflowId: string;
  /** When this payment was signalled: milliseconds since the epoch. */
  readonly since: number;
  /** Whether its owner was checked, as far as the service shows it. */
  readonly isExamined: boolean;
};

/** What is recorded of every payment, whatever its kind; plain JSON. Times are milliseconds since the epoch. */
export type RecordData = {
  readonly serviceId: string | null;
  readonly status: string;
  readonly cause: string | null;
  /** When the status last changed. */
  readonly changedAt: number;
  readonly updatedAt: number;
  /** Why an operator is needed now, and what of that an operator has acknowledged, as long as it holds. */
  readonly needs: Needs;
  readonly acknowledged: Needs;
  readonly refusal: string | null;
  readonly lastRead: {
    readonly at: number;
    /** When the workflow came to know of it, where that was later. */
    readonly knownAt?: number;
    readonly cause: LastReadCause;
    readonly status: string | null;
  } | null;
  /** Of an order: whether a read has ever shown it by its identifier. */
  readonly everRead: boolean;
  /** Since when no read has worked; null while reads work, or before the first one. */
  readonly unreadableSince: number | null;
  /** What keeps it from being read, once that has lasted for an hour. */
  readonly unreadable: string | null;
  /** What in the last reading of an order did not fit; null when all did. */
  readonly misfit: string | null;
  /** Its identifier, and the other payment of ours that has the same one, once one was found. */
  readonly shared?: SharedIdentifier | undefined;
  /** The run that came about by a reset and was the last one to be noticed; null before. */
  readonly resetRunId: string | null;
  /** The amounts that operators have accepted beside what was asked for; null when none. */
  readonly acceptedCentavos: readonly number[] | null;
  readonly timeline: readonly TimelineEntry[];
};

/** What a payment waits for. */
export type Expectation = {
  awaiting: string;
  /** The read that the state announces; null when none. */
  nextRead: { at: number; cause: ReadCause } | null;
  closed: boolean;
};

/** A command that was taken and is neither executed nor refused yet. Times are milliseconds since the epoch. */
export type PendingCommand = {
  /** Of the Update; null for a Signal. */
  readonly id: string | null;
  readonly name: CommandName;
  readonly by: string | null;
  readonly takenAt: number;
  /** It is executed or refused by then; an abandonment also after it. */
  readonly until: number;
};

/** The record of a payment that was started just now. */
export function newRecord(kind: PaymentKind, now: number): RecordData {
  return {
    serviceId: null,
    status: firstStatus(kind),
    cause: null,
    changedAt: now,
    updatedAt: now,
    needs: {},
    acknowledged: {},
    refusal: null,
    lastRead: null,
    everRead: false,
    unreadableSince: null,
    unreadable: null,
    misfit: null,
    resetRunId: null,
    acceptedCentavos: null,
    timeline: [],
  };
}

/** For operators, about an identifier that another payment has as well. */
export function whyShared({ serviceId, workflowId }: SharedIdentifier): string {
  return `The payment ${workflowId} has the identifier ${serviceId} of the service as well.`;
}

export const firstExpectation: Expectation = { awaiting: firstAwaited, nextRead: null, closed: false };

/** The gravest of the reasons for which an operator is needed. */
export function attentionOf({ needs }: RecordData): Attention | null {
  return attentions.find((attention) => needs[attention] !== undefined) ?? null;
}

/** What states and notifications show alike. */
export function summaryOf(identity: PaymentIdentity, data: RecordData) {
  return {
    partner_code: identity.partnerCode,
    workflow_id: identity.workflowId,
    started_by: identity.owner,
    service_id: data.serviceId,
    status: data.status,
    attention: attentionOf(data),
    value: toDecimal(identity.valueCentavos),
    cause: data.cause,
  };
}

/** What of the moment a state shows, beside what is recorded. */
export type Shown = Expectation & {
  /** The commands that it takes now. */
  commands: readonly CommandName[];
  pending?: readonly PendingCommand[];
  /** What came about in the time that a reset took back is not known yet. */
  isStale?: boolean;
  /** What is proven of the money. */
  statements?: Statements | undefined;
};

/** The part of a state that every kind of payment has. */
export function commonState(identity: PaymentIdentity, data: RecordData, expectation: Shown) {
  const { changedAt, lastRead, needs, refusal, timeline, updatedAt } = data;
  const { awaiting, closed, commands, nextRead, pending = [] } = expectation;
  const attention = attentionOf(data);
  return {
    ...summaryOf(identity, data),
    attention_detail: attention === null ? null : describeAttention(attention, expectation, needs[attention]),
    updated_at: iso(updatedAt),
    changed_at: iso(changedAt),
    closed,
    closed_as: null,
    awaiting,
    commands: [...commands],
    pending_commands: pending.map(({ by, id, name, takenAt, until }) => ({
      ...{ command_id: id, command: name, by, taken_at: iso(takenAt), until: iso(until) },
    })),
    refusal,
    last_read: lastRead && { at: iso(lastRead.at), cause: lastRead.cause, status: lastRead.status },
    next_read_at: nextRead === null ? null : iso(nextRead.at),
    next_read_cause: nextRead?.cause ?? null,
    timeline: timeline.map((entry) => ({ ...entry })),
  };
}

export type CommonState = ReturnType<typeof commonState>;

function describeAttention(
  attention: Attention,
  { closed, isStale = false, statements = {} }: Shown,
  reasons: readonly string[] = [],
): string {
  const { action, meaning } = attentionTexts[attention];
  const { [attention]: statement } = statements;
  const known = statement === undefined ? meaning : `${meaning} ${statement}`;
  // A refused payout without a watch is closed although it needs an operator, and takes no command any more.
  const isOver = closed && attention === 'payout_failed';
  const isOverAction = 'It is closed, and takes no retry: pay it under a new partner_code.';
  return `${reasons.join(' ')} ${isStale ? afterReset : known} What to do: ${isOver ? isOverAction : action}`.trim();
}

const afterReset =
  'The workflow was reset: what came about since the moment that it goes back to is not known before all of it was ' +
  'read again, and money may have moved.';

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
