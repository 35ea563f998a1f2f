import { z } from 'zod';
import { attentions } from '../domain/attention.js';
import { awaitBounds } from '../domain/command-messages.js';
import { longestPostback } from '../domain/postback-identifiers.js';
import { bulkRetryId } from './bulk-retry.js';
import { cardReference } from './card.js';
import { amount, copiedServiceId, seenStatus, statusWord, text, utcMoment } from './fields.js';
import { eitherOr } from './json-schema.js';
import { threeDSecureCredentials } from './order.js';
import { payoutCorrections } from './payout.js';

/** Who sends it, and why, of what is no decision: kept in the payment's timeline. */
const operator = { reason: text(500).optional(), by: text(128).optional() };
/** Who decides, and why: kept in the payment's timeline for good. The gateway fills `by` with the API key's name. */
const decided = { reason: text(500), by: text(128) };
/** The same over HTTP: `by` is the name of the API key, whatever is written. */
const decidedOverHttp = { reason: text(500), by: text(128).optional() };

/**
 * A moment after which a command is not taken any more: whoever sent it has answered an error by then. Left out, it is taken
 * whenever a worker comes to it.
 */
const bounded = { take_before: utcMoment.optional() };

/** Signal `postbackReceived`: a hint that the next read is due now. Nothing in it is believed. */
export const postbackReceived = z.strictObject({
  received_at: utcMoment,
  content_type: z.string().max(128).nullable(),
  /** The first 4 KiB of the body, for the operator. */
  body: z.string().max(longestPostback),
});
export type PostbackReceived = z.infer<typeof postbackReceived>;

/** Signal `statusHint`: somebody saw a status that differs; the next read is due now. */
export const statusHint = z.strictObject({ source: text(64), status: seenStatus.optional() });
export type StatusHint = z.infer<typeof statusHint>;

/** Signal `identifierShared`: another payment of ours, `workflow_id`, has this identifier of the service as well. */
export type IdentifierShared = { readonly service_id: string; readonly workflow_id: string };

/**
 * Update and Signal `retryPayout`. `attempt` is the number of the failed one and must be the latest. `bulk_retry_id` is
 * set by a bulk retry: it names the attempt, and still never overrides what an operator has to look at first.
 */
export const retryPayout = z.strictObject({
  attempt: z.int().min(1).optional(),
  corrections: payoutCorrections.optional(),
  bulk_retry_id: bulkRetryId.optional(),
  ...decided,
  ...bounded,
});
export type RetryPayout = z.infer<typeof retryPayout>;

/** The body of a retry over HTTP. Only a bulk retry of ours names itself. */
export const retryPayoutBody = retryPayout
  .omit({ bulk_retry_id: true, take_before: true })
  .extend(decidedOverHttp);

/** Update `abandonPayout`: the failed payout is given up. */
export const abandonPayout = z.strictObject({ ...decided, ...bounded });
export const abandonPayoutBody = z.strictObject(decidedOverHttp);
export type AbandonPayout = z.infer<typeof abandonPayout>;

/** What an operator found at the service: an identifier, or that nothing had happened. */
const finding = {
  service_id: copiedServiceId.optional(),
  nothing_happened: z.literal(true).optional(),
};
const namesOne = (found: { service_id?: unknown; nothing_happened?: unknown }) =>
  (found.service_id === undefined) !== (found.nothing_happened === undefined);
const oneOfBoth = { path: ['service_id'], message: 'send either service_id or nothing_happened: true' };

/** Update `resolveSubmission`: what an operator found out about a submission of unknown outcome. */
export const resolveSubmission = z
  .strictObject({ ...finding, ...decided, ...bounded })
  .refine(namesOne, oneOfBoth)
  .meta(eitherOr(['service_id', 'nothing_happened'], true));
export const resolveSubmissionBody = z
  .strictObject({ ...finding, ...decidedOverHttp })
  .refine(namesOne, oneOfBoth)
  .meta(eitherOr(['service_id', 'nothing_happened'], true));
export type ResolveSubmission = z.infer<typeof resolveSubmission>;

/** Update `provideCard`: where a new card waits for an order that lost its own. */
export const provideCard = cardReference.extend({ ...operator, ...bounded });
export type ProvideCard = z.infer<typeof provideCard>;

/**
 * Update `acknowledgeAttention`: an operator has seen this attention and done what was to do; it is refused when another
 * one is shown by then. `accept_value`: the amount that the service shows, such as one net of fees, is right from now on, as is what was asked
 * for.
 */
export const acknowledgeAttention = z.strictObject({
  attention: z.enum(attentions),
  accept_value: amount.optional(),
  ...decided,
  ...bounded,
});
export const acknowledgeAttentionBody = acknowledgeAttention
  .omit({ take_before: true })
  .extend(decidedOverHttp);
export type AcknowledgeAttention = z.infer<typeof acknowledgeAttention>;

/**
 * Update `awaitStatus`: answers the state as soon as the status is one of those named, or the time is over. With
 * no status named: as soon as the service has answered or the payment needs attention.
 */
export const awaitStatus = z.strictObject({
  statuses: z.array(statusWord).max(awaitBounds.statuses),
  timeout_seconds: z.number().positive().max(awaitBounds.seconds),
});
export type AwaitStatus = z.infer<typeof awaitStatus>;

/** Update `renewToken`: the service rejected the token of this generation; 0 requests any token at all. */
export const renewToken = z.strictObject({ rejected_generation: z.int().min(0) });
export type RenewToken = z.infer<typeof renewToken>;

/**
 * Update `retryRefund`: requests the refund once more, after a fresh read. When the previous request may have been
 * queued, only with the sender's word that it was not.
 */
export const retryRefund = z.strictObject({
  nothing_queued: z.literal(true).optional(),
  ...decided,
  ...bounded,
});
export const retryRefundBody = retryRefund.omit({ take_before: true }).extend(decidedOverHttp);
export type RetryRefund = z.infer<typeof retryRefund>;

/** Update `resolveRefund`: what an operator found out about a refund that does not come to its end. */
export const resolveRefund = z.strictObject({
  outcome: z.enum(['refunded', 'not_refunded']),
  ...decided,
  ...bounded,
});
export const resolveRefundBody = resolveRefund.omit({ take_before: true }).extend(decidedOverHttp);
export type ResolveRefund = z.infer<typeof resolveRefund>;

/** Update `issueThreeDSecureToken`: a token for the browser's 3D Secure flow; nothing of it is kept. */
export const issueThreeDSecureToken = z.strictObject(operator);
export type IssueThreeDSecureToken = z.infer<typeof issueThreeDSecureToken>;

/** What `issueThreeDSecureToken` answers. */
export const threeDSecureToken = z.object({ token: z.string() });
export type ThreeDSecureToken = z.infer<typeof threeDSecureToken>;

/** Update `completeThreeDSecure`: what the browser's authentication came to, and where the card waits. */
export const completeThreeDSecure = threeDSecureCredentials.extend({
  card: cardReference,
  ...operator,
  ...bounded,
});
export type CompleteThreeDSecure = z.infer<typeof completeThreeDSecure>;
