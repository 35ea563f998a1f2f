import { z } from 'zod';
import { cardReference, creditCard } from './card.js';
import {
  amount,
  email,
  openObject,
  partnerCode,
  phone,
  pollScale,
  taxId,
  text,
  watchDays,
  webUrl,
} from './fields.js';
import { eitherOr } from './json-schema.js';
import { notify } from './notify.js';
import { longestCallback } from '../domain/completion.js';
import type { OrderKind } from '../domain/kinds.js';

/** The service's customer object; the names of its further fields are not shown, so they pass as they come. */
export const customer = openObject({ name: text(128), email, phone, document: taxId });

/** The service's address and risk objects, whose fields are not shown. */
export const address = openObject({});
export const risk = openObject({});

const orderFields = (kind: OrderKind) => ({
  partner_code: partnerCode(kind),
  value: amount,
  description: text(256),
  payment_method: z.enum(['credit_card']).default('credit_card'),
});

const workflowOptions = { notify: notify.optional(), watch_days: watchDays, poll_scale: pollScale };

/** What the workflow `cardOrder` starts from. The card itself is never part of it, only where it waits. */
export const cardOrderInput = z.strictObject({
  order: z.strictObject({ ...orderFields('card_order'), installments: z.int().min(1).max(24).default(1) }),
  customer,
  address: address.optional(),
  risk: risk.optional(),
  card: cardReference.optional(),
  ...workflowOptions,
});

export type CardOrderInput = z.infer<typeof cardOrderInput>;

/** The body of POST /v1/orders/card: the service's `POST /v1/order` without notification_url, the card in it or at the card store. */
export const cardOrderBody = cardOrderInput
  .omit({ poll_scale: true })
  .extend({ credit_card: creditCard.optional() })
  .refine((body) => body.card === undefined || body.credit_card === undefined, {
    path: ['card'],
    message: 'must not stand beside credit_card: send the card once',
  })
  .meta(eitherOr(['credit_card', 'card'], false));

export type CardOrderBody = z.infer<typeof cardOrderBody>;

/** What the workflow `hostedCheckout` starts from: `POST /v1/checkout` without notification_url. */
export const hostedCheckoutInput = z.strictObject({
  order: z.strictObject({ ...orderFields('hosted_checkout'), redirect_url: webUrl }),
  customer,
  expires_after_hours: z
    .int()
    .min(1)
    .max(2_160)
    .optional()
    .describe('How long the customer may take to pay; 48 unless given'),
  ...workflowOptions,
});

export type HostedCheckoutInput = z.infer<typeof hostedCheckoutInput>;

/** The body of POST /v1/orders/checkout. */
export const hostedCheckoutBody = hostedCheckoutInput.omit({ poll_scale: true });

/** What the workflow `threeDSecureOrder` starts from: `POST /v1/3ds/order` without notification_url. */
export const threeDSecureOrderInput = z.strictObject({
  order: z.strictObject(orderFields('three_d_secure_order')),
  customer,
  ...workflowOptions,
});

export type ThreeDSecureOrderInput = z.infer<typeof threeDSecureOrderInput>;

/** The body of POST /v1/orders/3ds. */
export const threeDSecureOrderBody = threeDSecureOrderInput.omit({ poll_scale: true });

/** What the browser's authentication came to: `PUT /v1/3ds/order/{id}`, object credentials. */
export const threeDSecureCredentials = z.strictObject({ callback: text(longestCallback), eci: text(16) });
