import { z } from 'zod';
import { attentions } from '../domain/attention.js';
import { closings } from '../domain/closings.js';
import { lastReadCauses, readCauses } from '../domain/payment-record.js';
import { commandNames } from '../domain/stage-table.js';

/** A moment in UTC (ISO 8601). */
const instant = z.string().meta({ format: 'date-time' });

/** One line of a payment's timeline, oldest first: what happened, and who decided it. */
export const timelineEntry = z.object({
  at: instant,
  what: z.string(),
  by: z.string().optional(),
  reason: z.string().optional(),
  /** How often it happened in a row, and when the last time; absent when once. */
  times: z.int().optional(),
  last_at: instant.optional(),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;

/** A command that was taken and waits, as for a scan of a long list: it is executed or refused by `until`. */
const pendingCommand = z.object({
  /** The id of its Update; null for a Signal. */
  command_id: z.string().nullable(),
  command: z.enum(commandNames),
  by: z.string().nullable(),
  taken_at: instant,
  until: instant,
});

/** What every payment's state has, whatever its kind. */
const common = {
  partner_code: z.string(),
  workflow_id: z.string(),
  /** The name of the API key that started it; null when a bare SDK did. */
  started_by: z.string().nullable(),
  service_id: z.string().nullable(),
  status: z.string(),
  /** Why a payout failed: service_error, refused, account_invalid, returned, never_sent or not_paid. */
  cause: z.string().nullable(),
  attention: z.enum(attentions).nullable(),
  /** The attention in plain words: what happened, what it means for the money, what to do. */
  attention_detail: z.string().nullable(),
  value: z.number(),
  updated_at: instant,
  /** When the status last changed. */
  changed_at: instant.optional(),
  /** Whether the workflow has ended and nothing will change any more. */
  closed: z.boolean(),
  /** How the workflow ended; anything but `completed` means that nobody follows the money any more. Null while open. */
  closed_as: z.enum(closings).nullable().optional(),
  awaiting: z.string(),
  /** The commands that it takes now, by their names as Updates; it refuses the others of them, and nothing happens. */
  commands: z.array(z.enum(commandNames)),
  /** Commands that were taken and are neither executed nor refused yet, the one that is being executed first. */
  pending_commands: z.array(pendingCommand),
  /** The service's own words when it refused what was sent last; of earlier attempts they stand with the attempt. */
  refusal: z.string().nullable(),
  last_read: z
    .object({ at: instant, cause: z.enum(lastReadCauses), status: z.string().nullable() })
    .nullable(),
  next_read_at: instant.nullable(),
  /** What makes the next read due. */
  next_read_cause: z.enum(readCauses).nullable().optional(),
  timeline: z.array(timelineEntry),
};

/** One submission of a payout to the service. */
export const payoutAttempt = z.object({
  number: z.int(),
  partner_code: z.string(),
  service_id: z.string().nullable(),
  /** The identifier in the service's list, where that is another one. */
  list_id: z.string().nullable(),
  status: z.string(),
  cause: z.string().nullable(),
  error: z.string().nullable(),
  /** Who is paid by it, masked: the end of the key or account, the middle of the document. */
  payee: z.string().nullable().optional(),
  /** The bulk retry that had it sent; null when none did. */
  bulk_retry_id: z.string().nullable().optional(),
});

export const payoutState = z.object({
  ...common,
  kind: z.literal('payout'),
  method: z.enum(['pix', 'transfer']),
  /** Who is paid by the attempt that the status is of, masked as in `attempts`. */
  payee: z.string().nullable().optional(),
  attempts: z.array(payoutAttempt),
  /** Nothing is sent after this moment; null when the input names none. */
  send_before: instant.nullable(),
  /** What `retryPayout` has to hold beside `by` and `reason` to be taken now; null when nothing, or when it is not taken. */
  retry_requires: z.object({ attempt: z.int() }).nullable(),
});
export type PayoutState = z.infer<typeof payoutState>;

const answer = z.record(z.string(), z.unknown()).nullable();

export const orderState = z.object({
  ...common,
  kind: z.enum(['card_order', 'hosted_checkout', 'three_d_secure_order']),
  /** Identifiers that postbacks claimed for an order of unknown outcome; none of them is believed. */
  candidates: z.array(z.string()),
  /** Of a hosted checkout: where the customer is sent, and all that the service answered; null before it did. */
  checkout: z.object({ url: z.string().nullable(), answer }).nullable().default(null),
  /** Of a 3D Secure order: until when it can be completed, and all that the service answered; null before it did. */
  authentication: z.object({ until: instant.nullable(), answer }).nullable().default(null),
});
export type OrderState = z.infer<typeof orderState>;

export const refundState = z.object({
  ...common,
  kind: z.literal('refund'),
  /** The amount of the order, as far as the caller has given it. */
  value: z.number().nullable(),
  /** How an operator has resolved it; null unless one has. */
  outcome: z.enum(['refunded', 'not_refunded']).nullable(),
  /** How often the refund was requested. */
  requests: z.int(),
  /** What `retryRefund` has to hold beside `by` and `reason` to be taken now; null when nothing, or when it is not taken. */
  retry_requires: z.object({ nothing_queued: z.literal(true) }).nullable(),
});
export type RefundState = z.infer<typeof refundState>;

export const accountValidationState = z.object({
  ...common,
  kind: z.literal('account_validation'),
  /** A validation moves no amount. */
  value: z.null(),
  /** The last answer or postback: never verified, for there is no read. Null before any. */
  answer: z
    .object({ source: z.enum(['response', 'postback']), verified: z.literal(false), body: z.unknown() })
    .nullable(),
});
export type AccountValidationState = z.infer<typeof accountValidationState>;

export const paymentState = z.discriminatedUnion('kind', [
  payoutState,
  orderState,
  refundState,
  accountValidationState,
]);
export type PaymentState = z.infer<typeof paymentState>;
