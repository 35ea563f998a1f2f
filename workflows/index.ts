// The workflows of this project, by their types. The only entry of the workflow bundle.
export { accountValidation } from './account-validation.js';
export { cardOrder } from './card-order.js';
export { hostedCheckout } from './hosted-checkout.js';
export { notification } from './notification.js';
export { payout } from './payout.js';
export { payoutBatch } from './payout-batch.js';
export { payoutReconciliation } from './payout-reconciliation.js';
export { refund } from './refund.js';
export { threeDSecureOrder } from './three-d-secure-order.js';
export { tokenRenewal } from './token-renewal.js';
