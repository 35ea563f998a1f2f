import { z } from 'zod';
import { attentions } from '../domain/attention.js';
import { isReservedWorkflowId } from '../domain/notify-targets.js';
import { isOwnSignal, notificationTypes } from '../domain/notifications.js';
import { text } from './fields.js';
import { paymentKinds } from '../domain/kinds.js';

/**
 * Where the OMS is notified of the changes of a payment: a webhook, by its name or URL in `NOTIFY_TARGETS`, or a signal
 * to a workflow of its own in the same namespace, if `NOTIFY_WORKFLOWS` allows it.
 */
export const notify = z.xor(
  [
    z.strictObject({ webhook: text(2_048) }),
    z.strictObject({
      workflow_id: text(255).refine((id) => !isReservedWorkflowId(id)),
      signal: text(128).refine((signal) => !isOwnSignal(signal)),
    }),
  ],
  'must be { webhook: a name or URL of NOTIFY_TARGETS } or { workflow_id, signal }; not a signal or a workflow of payments themselves',
);

export type Notify = z.infer<typeof notify>;

/** What the OMS gets, as the body of a webhook or the argument of a signal. No personal data is in it. */
export const paymentNotification = z.object({
  /** Of this change for ever, also when it is sent again: the header webhook-id. */
  id: z.string(),
  type: z.enum(notificationTypes),
  /** Counts the notifications of one payment from 1. */
  sequence: z.int().min(1),
  /** When the change was seen. */
  at: z.string(),
  /** Only with one that somebody has asked for again: it may be older than what came before it. */
  resent: z.literal(true).optional(),
  payment: z.object({
    kind: z.enum(paymentKinds),
    partner_code: z.string(),
    workflow_id: z.string(),
    /** Whose it is, by the name of an API key; null when no gateway started it. */
    started_by: z.string().nullable(),
    service_id: z.string().nullable(),
    status: z.string(),
    /** With `payment.attention` the reason that came up; else the gravest one there is, or null. */
    attention: z.enum(attentions).nullable(),
    value: z.number(),
    /** Of a payout: the number of the attempt that this is about. */
    attempt: z.int().min(1).nullable(),
    /** Why it failed, as the state has it; null while it has not. */
    cause: z.string().nullable(),
  }),
});

export type PaymentNotification = z.infer<typeof paymentNotification>;

/** What the workflow `notification` starts from: what a closed payment had not delivered yet, or what is resent. */
export type NotificationInput = { notify: Notify; notifications: PaymentNotification[] };
