import { z } from 'zod';
import { accountValidationBody, accountValidationInput } from './account-validation.js';
import {
  bulkRetryBody,
  bulkRetryCommand,
  bulkRetryInput,
  bulkRetryLine,
  bulkRetryState,
} from './bulk-retry.js';
import { creditCard } from './card.js';
import { commandPending } from './http/command-pending.js';
import { paymentPage } from './http/lists.js';
import { notificationList } from './http/notifications.js';
import { cardTicket, newCardBody, threeDSecureCompletionBody } from './http/payments.js';
import { problem } from './http/problem.js';
import {
  abandonPayout,
  abandonPayoutBody,
  acknowledgeAttention,
  acknowledgeAttentionBody,
  awaitStatus,
  completeThreeDSecure,
  issueThreeDSecureToken,
  postbackReceived,
  provideCard,
  renewToken,
  resolveRefund,
  resolveRefundBody,
  resolveSubmission,
  resolveSubmissionBody,
  retryPayout,
  retryPayoutBody,
  retryRefund,
  retryRefundBody,
  statusHint,
  threeDSecureToken,
} from './messages.js';
import { jsonSchemaOptions } from './json-schema.js';
import {
  nexusAbandonPayout,
  nexusAwaitOutcome,
  nexusReadPayment,
  nexusRetryPayout,
  nexusStartCardOrder,
  nexusStarted,
  nexusStartHostedCheckout,
  nexusStartPayout,
  nexusStartThreeDSecureOrder,
} from './nexus.js';
import { paymentNotification } from './notify.js';
import {
  cardOrderBody,
  cardOrderInput,
  hostedCheckoutBody,
  hostedCheckoutInput,
  threeDSecureOrderBody,
  threeDSecureOrderInput,
} from './order.js';
import { payoutBatchBody, payoutBatchInput, payoutBatchPageState, payoutBatchState } from './payout-batch.js';
import { payoutInput, pixPayoutBody, transferPayoutBody } from './payout.js';
import { payoutReconciliationInput, reconciliationReport } from './reconciliation.js';
import { refundBody, refundInput } from './refund.js';
import { accountValidationState, orderState, payoutState, refundState } from './state.js';
import { webhookPing, webhookPingBody, webhookPingResult } from './webhook-ping.js';
import { webhookResendBody, webhookResendInput, webhookResendState } from './webhook-resend.js';

/**
 * Everything that crosses the border, under the name of its JSON Schema: HTTP bodies, workflow inputs, messages and
 * states. The gateway serves it at /schemas, the build writes it to dist/schemas.
 */
export const publishedSchemas: Record<string, z.ZodType> = {
  'credit-card': creditCard,
  'card-ticket': cardTicket,
  'card-order-body': cardOrderBody,
  'card-order-input': cardOrderInput,
  'new-card-body': newCardBody,
  'hosted-checkout-body': hostedCheckoutBody,
  'hosted-checkout-input': hostedCheckoutInput,
  'three-d-secure-order-body': threeDSecureOrderBody,
  'three-d-secure-order-input': threeDSecureOrderInput,
  'three-d-secure-completion-body': threeDSecureCompletionBody,
  'three-d-secure-token': threeDSecureToken,
  'order-state': orderState,
  'refund-body': refundBody,
  'refund-input': refundInput,
  'refund-state': refundState,
  'account-validation-body': accountValidationBody,
  'account-validation-input': accountValidationInput,
  'account-validation-state': accountValidationState,
  'pix-payout-body': pixPayoutBody,
  'transfer-payout-body': transferPayoutBody,
  'payout-input': payoutInput,
  'payout-state': payoutState,
  'payout-batch-body': payoutBatchBody,
  'payout-batch-input': payoutBatchInput,
  'payout-batch-page-state': payoutBatchPageState,
  'payout-batch-state': payoutBatchState,
  'bulk-retry-body': bulkRetryBody,
  'bulk-retry-input': bulkRetryInput,
  'bulk-retry-state': bulkRetryState,
  'bulk-retry-line': bulkRetryLine,
  'bulk-retry-command': bulkRetryCommand,
  'payout-reconciliation-input': payoutReconciliationInput,
  'reconciliation-report': reconciliationReport,
  'payment-page': paymentPage,
  'payment-notification': paymentNotification,
  'notification-list': notificationList,
  'webhook-ping': webhookPing,
  'webhook-ping-body': webhookPingBody,
  'webhook-ping-result': webhookPingResult,
  'webhook-resend-body': webhookResendBody,
  'webhook-resend-input': webhookResendInput,
  'webhook-resend-state': webhookResendState,
  'command-pending': commandPending,
  problem,
  'nexus-start-payout': nexusStartPayout,
  'nexus-start-card-order': nexusStartCardOrder,
  'nexus-start-hosted-checkout': nexusStartHostedCheckout,
  'nexus-start-three-d-secure-order': nexusStartThreeDSecureOrder,
  'nexus-started': nexusStarted,
  'nexus-read-payment': nexusReadPayment,
  'nexus-await-outcome': nexusAwaitOutcome,
  'nexus-retry-payout': nexusRetryPayout,
  'nexus-abandon-payout': nexusAbandonPayout,
  'postback-received': postbackReceived,
  'status-hint': statusHint,
  'retry-payout': retryPayout,
  'retry-payout-body': retryPayoutBody,
  'abandon-payout': abandonPayout,
  'abandon-payout-body': abandonPayoutBody,
  'resolve-submission': resolveSubmission,
  'resolve-submission-body': resolveSubmissionBody,
  'provide-card': provideCard,
  'issue-three-d-secure-token': issueThreeDSecureToken,
  'complete-three-d-secure': completeThreeDSecure,
  'retry-refund': retryRefund,
  'retry-refund-body': retryRefundBody,
  'resolve-refund': resolveRefund,
  'resolve-refund-body': resolveRefundBody,
  'acknowledge-attention': acknowledgeAttention,
  'acknowledge-attention-body': acknowledgeAttentionBody,
  'await-status': awaitStatus,
  'renew-token': renewToken,
};

/** The JSON Schema (2020-12) of a published name, of what a sender writes; undefined for any other name. */
export function jsonSchemaOf(name: string): object | undefined {
  const schema = Object.hasOwn(publishedSchemas, name) ? publishedSchemas[name] : undefined;
  if (schema === undefined) return undefined;
  return { title: name, ...z.toJSONSchema(schema, { ...jsonSchemaOptions, io: 'input' }) };
}
