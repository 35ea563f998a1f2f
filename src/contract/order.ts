import { z } from 'zod';
import { cardReference, creditCard } from './card.js';
import {
  amount,
  email,
  freeText,
  openObject,
  partnerCode,
  phone,
  pollScale,
  taxId,
  text,
  watchDays,
} from './fields.js';

/** §2 Customer object; the names of its further fields are not shown, so they pass as they come. */
export const customer = openObject({ name: text(128), email, phone, document: taxId });

/** §2: the address and risk objects, whose fields are not shown. */
export const address = openObject({});
export const risk = openObject({});

const orderFields = {
  partner_code: partnerCode('card_order'),
  value: amount,
  description: freeText(256),
  payment_method: z.literal('credit_card').default('credit_card'),
};

const workflowOptions = { watch_days: watchDays, poll_scale: pollScale };

/** What the workflow `cardOrder` starts from. The card itself is never part of it, only where it waits. */
export const cardOrderInput = z.strictObject({
  order: z.strictObject({ ...orderFields, installments: z.int().min(1).max(24).default(1) }),
  customer,
  address: address.optional(),
  risk: risk.optional(),
  card: cardReference.optional(),
  ...workflowOptions,
});

export type CardOrderInput = z.infer<typeof cardOrderInput>;

/** The body of POST /v1/orders/card: §4 POST /v1/order without notification_url, the card in it or at the desk. */
export const cardOrderBody = cardOrderInput
  .omit({ poll_scale: true })
  .extend({ credit_card: creditCard.optional() })
  .refine((body) => body.card === undefined || body.credit_card === undefined, {
    path: ['card'],
    message: 'must not stand beside credit_card: send the card once',
  });

export type CardOrderBody = z.infer<typeof cardOrderBody>;
