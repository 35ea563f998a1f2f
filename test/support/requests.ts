import { randomBytes } from 'node:crypto';

const ofThisFile = randomBytes(4).toString('hex');
let counter = 0;

/** A partner_code that no other test uses. */
export function freshCode(): string {
  counter += 1;
  return `t${ofThisFile}-${String(counter)}`;
}

/** A pix payout; `tags` are scenarios of the sandbox (docs/sandbox.md). */
export function pixPayout(partnerCode: string, tags = '', more: object = {}) {
  return {
    method: 'pix',
    partner_code: partnerCode,
    kind: 'personal',
    first_name: 'Maria',
    last_name: 'Silva',
    document: '52998224725',
    email: 'maria.silva@example.com',
    phone: '+5511987654321',
    value: 150.25,
    fee_payer: 'merchant',
    pix: tags === '' ? 'maria.silva@example.com' : `sandbox+${tags}@example.com`,
    ...more,
  };
}

/** Pix payouts as rows of a batch. */
export const rowsOf = (count: number, prefix = freshCode()) =>
  Array.from({ length: count }, (_, i) => pixPayout(`${prefix}-p${String(i)}x`));

/** A payout by bank transfer. */
export function transferPayout(partnerCode: string, more: object = {}) {
  const { pix: _pix, ...common } = pixPayout(partnerCode);
  return {
    ...common,
    method: 'transfer',
    bank_code: '341',
    agency: '1234',
    account: '123456-7',
    account_type: 'checking',
    ...more,
  };
}

/** A test PAN with a valid check digit that no bank issues. */
export const testCard = {
  holder: 'MARIA SILVA',
  number: '4111111111111111',
  cvv: '737',
  due_date: '12/2039',
  brand: 'visa',
} as const;

/** A card order without its card. */
export function cardOrder(partnerCode: string, description = 'Two tickets', more: object = {}) {
  return {
    order: {
      partner_code: partnerCode,
      value: 99.9,
      description,
      installments: 1,
      payment_method: 'credit_card',
    },
    customer: {
      name: 'Maria Silva',
      email: 'maria.silva@example.com',
      phone: '+5511987654321',
      document: '52998224725',
    },
    ...more,
  };
}

/** A hosted checkout. */
export function hostedCheckout(partnerCode: string, description?: string, more: object = {}) {
  const { order, customer } = cardOrder(partnerCode, description);
  const { installments: _, ...fields } = order;
  return { order: { ...fields, redirect_url: 'https://shop.example/thanks' }, customer, ...more };
}

/** A 3D Secure order. */
export function threeDSecureOrder(partnerCode: string, description?: string, more: object = {}) {
  const { order, customer } = cardOrder(partnerCode, description);
  const { installments: _, ...fields } = order;
  return { order: fields, customer, ...more };
}

/** The validation of a bank account; `tags` are scenarios of the sandbox. */
export function accountValidation(partnerCode: string, tags = '', more: object = {}) {
  return {
    partner_code: partnerCode,
    first_name: 'Maria',
    last_name: 'Silva',
    document: '52998224725',
    bank_code: '341',
    account: tags === '' ? '123456-7' : `sandbox+${tags}`,
    ...more,
  };
}
