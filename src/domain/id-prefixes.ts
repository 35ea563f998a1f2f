/** How the ids of our workflows begin. */
export const idPrefixes = {
  order: 'order-',
  refund: 'refund-',
  payout: 'payout-',
  accountValidation: 'account-validation-',
  batch: 'batch-',
  bulkRetry: 'bulk-retry-',
  identifierCheck: 'identifier-check',
  identifierClaim: 'identifier-',
  reconciliation: 'payout-reconciliation',
  payoutList: 'payout-list-',
  tokenRenewal: 'token-renewal',
  outcome: 'payment-outcome:',
  notification: 'notification-',
  webhookResend: 'webhook-resend-',
  webhookPing: 'webhook-ping-',
  failingTasks: 'failing-tasks-',
} as const;
