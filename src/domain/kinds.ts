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

/** The kinds whose workflow id is `order-{partner_code}`. */
export const orderKinds = ['card_order', 'hosted_checkout', 'three_d_secure_order'] as const;

export type OrderKind = (typeof orderKinds)[number];
