/** What a payment workflow is about; the value of the search attribute PaymentKind. */
export type PaymentKind =
  'card_order' | 'hosted_checkout' | 'three_d_secure_order' | 'refund' | 'payout' | 'account_validation';

/** The workflow type of each kind of payment. */
export const workflowTypes = {
  card_order: 'cardOrder',
  hosted_checkout: 'hostedCheckout',
  three_d_secure_order: 'threeDSecureOrder',
  refund: 'refund',
  payout: 'payout',
  account_validation: 'accountValidation',
} as const satisfies Record<PaymentKind, string>;

export const paymentKinds = Object.keys(workflowTypes) as PaymentKind[];

/** The value of PaymentKind of a bulk retry, which is no payment but may need an operator as well. */
export const bulkRetryKind = 'bulk_retry';

/** The kinds whose workflow id is `order-{partner_code}`. */
export const orderKinds = ['card_order', 'hosted_checkout', 'three_d_secure_order'] as const;

export type OrderKind = (typeof orderKinds)[number];

/** What people call each kind of payment. */
export const kindTitles: Record<PaymentKind, string> = {
  card_order: 'Card order',
  hosted_checkout: 'Hosted checkout',
  three_d_secure_order: '3D Secure order',
  refund: 'Refund',
  payout: 'Payout',
  account_validation: 'Account validation',
};

/** The status of a payment before its first call was answered. */
export function firstStatus(kind: PaymentKind): string {
  return kind === 'refund' ? 'requesting' : 'submitting';
}

/** What a payment awaits before its first call was answered. */
export const firstAwaited = 'the first answer of the service';
