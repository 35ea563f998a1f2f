import { z } from 'zod';
import { cardReference, creditCard } from '../card.js';
import { eitherOr } from '../json-schema.js';
import { partnerCode } from '../fields.js';
import { provideCard } from '../messages.js';
import { threeDSecureCredentials } from '../order.js';
import { statusProblem } from '../../domain/statuses.js';

/** `?until=a,b`: answer, within the time of `Prefer: wait=N`, once the status is one of these. */
export const untilQuery = z.strictObject({
  until: z
    .string()
    .regex(/^[a-z0-9_]{1,64}(,[a-z0-9_]{1,64}){0,19}$/, {
      error: 'must be up to 20 statuses with commas between them, such as compensated,denied',
      abort: true,
    })
    .superRefine((text, context) => {
      const [problem] = text.split(',').flatMap((word) => statusProblem(word) ?? []);
      if (problem !== undefined) context.addIssue({ code: 'custom', message: `each ${problem}` });
    })
    .optional(),
});

export const payoutParams = z.object({ partner_code: partnerCode('payout') });
export const orderParams = z.object({ partner_code: partnerCode('card_order') });
export const validationParams = z.object({ partner_code: partnerCode('account_validation') });

/** Where a card now waits, and until when. */
export const cardTicket = cardReference.required();
export type CardTicket = z.infer<typeof cardTicket>;

/** The body of POST /v1/orders/{partner_code}/card: a new card, or where one waits. */
export const newCardBody = z
  .strictObject({
    card: cardReference.optional(),
    credit_card: creditCard.optional(),
    reason: provideCard.shape.reason,
    by: provideCard.shape.by,
  })
  .refine((body) => (body.card === undefined) !== (body.credit_card === undefined), {
    path: ['credit_card'],
    message: 'send either credit_card or card',
  })
  .meta(eitherOr(['credit_card', 'card'], true));
export type NewCardBody = z.infer<typeof newCardBody>;

/** The body of POST /v1/orders/{partner_code}/3ds-completion: the card itself, or where it waits. */
export const threeDSecureCompletionBody = threeDSecureCredentials
  .extend(newCardBody.shape)
  .refine((body) => (body.card === undefined) !== (body.credit_card === undefined), {
    path: ['credit_card'],
    message: 'send either credit_card or card',
  })
  .meta(eitherOr(['credit_card', 'card'], true));
export type ThreeDSecureCompletionBody = z.infer<typeof threeDSecureCompletionBody>;
