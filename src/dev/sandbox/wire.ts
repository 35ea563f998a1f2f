import { z } from 'zod';
import { centavosOf } from './money.js';

const text = z.string().min(1);
const webAddress = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });
const value = z.number().refine((amount) => centavosOf(amount) !== undefined, {
  error: 'must be a positive number of at most two decimals',
});

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

const order = z.object({
  partner_code: text,
  value,
  description: text,
  notification_url: webAddress,
  payment_method: z.literal('credit_card'),
});

const customer = z.object({ name: text, email: z.email(), phone: text, document: text });

const creditCard = z.object({
  holder: text,
  number: z
    .string()
    .regex(/^\d{13,19}$/, 'must be 13 to 19 digits')
    .refine(passesLuhn, 'is not a card number'),
  cvv: z.string().regex(/^\d{3,4}$/, 'must be 3 or 4 digits'),
  due_date: z.string().regex(/^(0[1-9]|1[0-2])\/\d{4}$/, 'must be MM/YYYY'),
  brand: z.enum([
    'visa',
    'master',
    'amex',
    'elo',
    'aura',
    'jcb',
    'diners',
    'discover',
    'hipercard',
    'hiper',
    'sorocred',
  ]),
});

/** `POST /v1/order`. */
export const cardOrderBody = z.object({
  order: order.extend({ installments: z.int().min(1).max(99).default(1) }),
  customer,
  credit_card: creditCard,
});

/** `POST /v1/checkout`. */
export const checkoutBody = z.object({ order: order.extend({ redirect_url: webAddress }), customer });

/** `POST /v1/3ds/order`. */
export const threeDSecureOrderBody = z.object({ order, customer });

/** `PUT /v1/3ds/order/{id}`. */
export const threeDSecureCompletionBody = z.object({
  credit_card: creditCard,
  credentials: z.object({ callback: text, eci: text }),
});

// Without e-mail and phone the payee is paid all the same; the defaults are the document's examples.
const payout = z.object({
  partner_code: text,
  kind: text.default('personal'),
  first_name: text,
  last_name: text.optional(),
  document: text,
  email: z.email().optional(),
  phone: text.optional(),
  value,
  fee_payer: text.default('merchant'),
  notification_url: webAddress,
});

/** `POST /v1/payout/transfer`. */
export const transferPayoutBody = payout.extend({
  bank_code: text,
  agency: text,
  account: text,
  account_type: text,
});

/** `POST /v1/payout/pix`. */
export const pixPayoutBody = payout.extend({ pix: text });

/** `GET /v1/payouts`. */
export const payoutListQuery = z.object({
  status: z.string().optional(),
  payment_type: z.string().optional(),
  payout_method: z.string().optional(),
  from: z.iso.datetime({ offset: true }).or(z.iso.date()).optional(),
  to: z.iso.datetime({ offset: true }).or(z.iso.date()).optional(),
  sort: z.enum(['created_at', 'updated_at', 'paid_at']).default('created_at'),
  direction: z.enum(['asc', 'desc']).default('desc'),
  page: z.coerce.number().int().min(1).default(1),
  per_page: z.coerce.number().int().min(1).max(200).default(30),
});

/** `POST /v1/account/validate`. */
export const accountValidationBody = z.object({
  partner_code: text,
  first_name: text,
  last_name: text.optional(),
  document: text,
  bank_code: text,
  account: text,
  notification_url: webAddress,
});

export type OrderFields = z.infer<typeof order>;
export type PayoutFields = z.infer<typeof payout>;
export type PayoutListQuery = z.infer<typeof payoutListQuery>;
export type AccountValidationFields = z.infer<typeof accountValidationBody>;
