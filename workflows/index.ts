// The workflows of this project, by their types. The only entry of the workflow bundle.
export { accountValidation } from './account-validation.js';
export { bulkRetry } from './bulk-retry.js';
export { bulkRetryPage } from './bulk-retry-page.js';
export { cardOrder } from './card-order.js';
export { hostedCheckout } from './hosted-checkout.js';
export { identifierClaim } from './identifier-claim.js';
export { notification } from './notification.js';
export { paymentOutcome } from './payment-outcome.js';
export { payout } from './payout.js';
export { payoutBatch } from './payout-batch.js';
export { payoutList } from './payout-list.js';
export { payoutReconciliation } from './payout-reconciliation.js';
export { refund } from './refund.js';
export { threeDSecureOrder } from './three-d-secure-order.js';
export { tokenRenewal } from './token-renewal.js';
export { webhookPing } from './webhook-ping.js';
export { webhookResend } from './webhook-resend.js';
