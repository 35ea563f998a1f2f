import { randomUUID } from 'node:crypto';

export const pan = '4111111111111111';

/** The id of a batch may not end in - and digits, as one of three hundred UUIDs does. */
export const newCode = (): string => `t-${randomUUID()}x`;

export const pixPayout = (partner_code = newCode()) => ({
  partner_code,
  first_name: 'Ana',
  last_name: 'Souza',
  document: '529.982.247-25',
  value: 150,
  pix: 'ana@example.com',
});

export const transferPayout = (partner_code = newCode()) => ({
  partner_code,
  first_name: 'Ana',
  last_name: 'Souza',
  document: '52998224725',
  value: 19.9,
  bank_code: '001',
  agency: '0001',
  account: '12345-6',
  account_type: 'checking',
});

export const card = () => ({
  holder: 'ANA SOUZA',
  number: pan,
  cvv: '123',
  due_date: `12/${String(new Date().getUTCFullYear() + 3)}`,
  brand: 'visa',
});

export const cardOrder = (partner_code = newCode()) => ({
  order: { partner_code, value: 99.9, description: 'Two books' },
  customer: { name: 'Ana Souza', email: 'ana@example.com', phone: '+5511987654321', document: '52998224725' },
  credit_card: card(),
});
