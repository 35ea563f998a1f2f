export { createPaymentsClient } from './client/create-payments-client.js';
export type { PaymentsClient, PaymentsClientOptions } from './client/create-payments-client.js';
export type { Started } from './client/payment-starter.js';
export {
  BatchConflictError,
  BatchNotFoundError,
  BulkRetryConflictError,
  BulkRetryNotFoundError,
  CommandPendingError,
  CommandRefusedError,
  InvalidRequestError,
  PaymentConflictError,
  PaymentNotFoundError,
  StateLostError,
  TasksFailingError,
  TemporalUnavailableError,
  TooManyRunningError,
  WebhookResendConflictError,
  WebhookResendNotFoundError,
} from './client/errors.js';
export { paymentsDataConverter } from './client/data-converter.js';
export type { AccountValidationHandle } from './client/account-validation-handle.js';
export type { OrderHandle } from './client/order-handle.js';
export type { PayoutHandle } from './client/payout-handle.js';
export type { RefundHandle } from './client/refund-handle.js';
export type { BulkRetryHandle } from './client/bulk-retry.js';
export type { NotifiedPayment } from './client/notified-payment.js';
export type { WebhookResendHandle } from './client/webhook-resend.js';
export type { BulkRetryInput, BulkRetryLine, BulkRetryState } from './contract/bulk-retry.js';
export type { OpenBulkRetry } from './client/open-bulk-retries.js';
export type { AccountValidationInput } from './contract/account-validation.js';
export type { ChangesFilter, ChangesPage } from './contract/http/changes.js';
export type { KeptNotification, NotificationList } from './contract/http/notifications.js';
export type { PaymentFilter, PaymentListing, PaymentPage } from './contract/http/lists.js';
export type { CardOrderInput, HostedCheckoutInput, ThreeDSecureOrderInput } from './contract/order.js';
export type { PayoutBatchBody, PayoutBatchState } from './contract/payout-batch.js';
export type { PayoutInput } from './contract/payout.js';
export type { RefundInput } from './contract/refund.js';
export type { PaymentNotification } from './contract/notify.js';
export type { ReconciliationReport } from './contract/reconciliation.js';
export type {
  AccountValidationState,
  OrderState,
  PaymentState,
  PayoutState,
  RefundState,
} from './contract/state.js';
export type { WebhookPing, WebhookPingResult } from './contract/webhook-ping.js';
export type { WebhookResendInput, WebhookResendState } from './contract/webhook-resend.js';
