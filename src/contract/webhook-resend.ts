import { z } from 'zod';
import { referenceProblem } from '../domain/ids.js';
import { apiKeyName, moment, reference, text } from './fields.js';
import { paymentWorkflowId } from './http/notifications.js';

/** The caller's unique reference of a resend, and its idempotency key. */
export const resendId = reference(
  'Your unique reference of the resend, and its idempotency key',
  referenceProblem,
);

const sequence = z.int('must be a whole number from 1').min(1, 'must be a whole number from 1');

const plan = {
  resend_id: resendId,
  /** Of this payment; without it of all payments that have changed since `seen_after`. */
  workflow_id: paymentWorkflowId.optional(),
  /** Those of this `sequence` and later, and earlier; both included. Of one payment only. */
  sequence_from: sequence.optional(),
  sequence_to: sequence.optional(),
  /** Changes that were seen (`at`) at this moment or later, and before that one. */
  seen_after: moment.optional(),
  seen_before: moment.optional(),
  /** Only to this webhook: its name or URL, as the payments were started with it. */
  webhook: text(2_048).optional(),
  /** Of payments that the API key of this name has started. */
  owner: apiKeyName.optional(),
  /** Only what was not delivered; false unless given. */
  undelivered: z.boolean().optional(),
  /** Payments a second; default 10. */
  per_second: z
    .number('must be a number from 0.1 to 50')
    .min(0.1, 'must be from 0.1 to 50')
    .max(50, 'must be from 0.1 to 50')
    .optional(),
};

type Which = { workflow_id?: string | undefined; seen_after?: string | undefined };

const namesPayments = ({ workflow_id: id, seen_after: after }: Which) =>
  id !== undefined || after !== undefined;
const noPayments = { path: ['seen_after'], message: 'must be given, or workflow_id' };

const rangeOfOne = ({
  workflow_id: id,
  ...range
}: Which & { sequence_from?: unknown; sequence_to?: unknown }) =>
  id !== undefined || (range.sequence_from === undefined && range.sequence_to === undefined);
const noPayment = { path: ['workflow_id'], message: 'must be given with a range of sequences' };

/** The either-or rules, for whoever generates requests by the schema. */
const rules = {
  anyOf: [{ required: ['workflow_id'] }, { required: ['seen_after'] }],
  dependentRequired: { sequence_from: ['workflow_id'], sequence_to: ['workflow_id'] },
};

/** The body of POST /v1/webhook-resends. */
export const webhookResendBody = z
  .strictObject(plan)
  .refine(namesPayments, noPayments)
  .refine(rangeOfOne, noPayment)
  .meta(rules);
export type WebhookResendBody = z.infer<typeof webhookResendBody>;

/** What the workflow `webhookResend` starts from. */
export const webhookResendInput = z
  .strictObject({ ...plan, by: text(128) })
  .refine(namesPayments, noPayments)
  .refine(rangeOfOne, noPayment);
export type WebhookResendInput = z.infer<typeof webhookResendInput>;

/** How far a resend is. */
export const webhookResendState = z.object({
  resend_id: z.string(),
  workflow_id: z.string(),
  /** The name of the API key that started it; null when none did. */
  started_by: z.string().nullable(),
  by: z.string(),
  /** `stopped`: its workflow was ended before it was through. */
  status: z.enum(['running', 'finished', 'stopped']),
  counts: z.object({
    /** Payments that were looked at. */
    payments: z.int(),
    /** Notifications that are sent again. */
    resent: z.int(),
    /** Notifications that were still on their way: their next attempt is made at once. */
    waiting: z.int(),
    /** Payments whose notifications could not be read. */
    unreadable: z.int(),
  }),
  started_at: z.string().meta({ format: 'date-time' }),
  closed: z.boolean(),
});
export type WebhookResendState = z.infer<typeof webhookResendState>;
export type WebhookResendCounts = WebhookResendState['counts'];
