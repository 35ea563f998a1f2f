import { z } from 'zod';
import { cardQueuePattern, cardRefPattern } from '../domain/card-to-send.js';
import { cardBrands, isExpired, passesLuhn } from '../domain/cards.js';
import { moment, text } from './fields.js';

/** Card data as the service takes it. It lives in the card store's memory, and nowhere else. */
export const creditCard = z.strictObject({
  holder: text(128),
  number: z
    .string()
    .regex(/^[0-9]{13,19}$/, 'must be 13 to 19 digits and nothing else')
    .refine(passesLuhn, 'fails its check digit'),
  cvv: z.string().regex(/^[0-9]{3,4}$/, 'must be 3 or 4 digits'),
  due_date: z
    .string()
    .regex(/^(0[1-9]|1[0-2])\/20[0-9][0-9]$/, 'must have the form MM/YYYY')
    .refine((value) => !isExpired(value, new Date()), 'lies in the past'),
  brand: z.enum(cardBrands, `must be one of ${cardBrands.join(', ')}`),
});

export type CreditCard = z.infer<typeof creditCard>;

/** Where a card waits: a reference into the card store of one gateway, and that gateway's own task queue. */
export const cardReference = z.strictObject({
  card_ref: z
    .string()
    .regex(cardRefPattern, 'must be a card_ref as POST /v1/cards answers it')
    .meta({ format: 'uuid' }),
  task_queue: z.string().regex(cardQueuePattern, 'must be a task_queue as POST /v1/cards answers it'),
  expires_at: moment.optional(),
});

export type CardReference = z.infer<typeof cardReference>;
