/** The search attributes of every payment. No personal data goes into them. */
export const searchAttributes = {
  PaymentKind: { name: 'PaymentKind', type: 'KEYWORD' },
  PaymentStatus: { name: 'PaymentStatus', type: 'KEYWORD' },
  PaymentAttention: { name: 'PaymentAttention', type: 'KEYWORD' },
  PaymentCause: { name: 'PaymentCause', type: 'KEYWORD' },
  PaymentPartnerCode: { name: 'PaymentPartnerCode', type: 'KEYWORD' },
  PaymentServiceId: { name: 'PaymentServiceId', type: 'KEYWORD' },
  PaymentOwner: { name: 'PaymentOwner', type: 'KEYWORD' },
  PaymentValue: { name: 'PaymentValue', type: 'DOUBLE' },
  PaymentUpdatedAt: { name: 'PaymentUpdatedAt', type: 'DATETIME' },
} as const;
