import { isValidCnpj, isValidCpf, isValidPixKey } from '@brazilian-utils/brazilian-utils';
import { z } from 'zod';
import { maxPollScale } from '../domain/cadence.js';
import { mayBePan, mayHoldPan } from '../domain/cards.js';
import { partnerCodeProblem } from '../domain/ids.js';
import type { PaymentKind } from '../domain/kinds.js';
import { toCentavos } from '../domain/money.js';
import { hasInvisibleCharacters } from '../domain/plain-text.js';

const notACard = 'looks like a card number, which may stand only in credit_card.number';
const onlyVisible = 'must not have control or format characters, such as line breaks';

/** A short text of one line, as the service's string fields are; it must not be where a card hides. */
export const text = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(maxLength, `must not be longer than ${String(maxLength)} characters`)
    .refine((value) => !hasInvisibleCharacters(value), onlyVisible)
    .refine((value) => !mayHoldPan(value), notACard);

/** The caller's unique reference of a payment, and its idempotency key. */
export const partnerCode = (kind: PaymentKind) =>
  z.string().superRefine((value, context) => {
    const problem = partnerCodeProblem(kind, value);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

/** An amount in reais as a JSON number: positive, at most two decimals. */
export const amount = z
  .number('must be a number, such as 150 or 19.9')
  .refine(
    (value) => toCentavos(value) !== undefined,
    'must be above 0, at most 99999999.99, with at most two decimals',
  )
  .describe('Amount in reais, at most two decimals');

/** A Brazilian tax id: CPF or CNPJ (numeric or alphanumeric), with or without punctuation. */
export const taxId = z
  .string()
  .refine((value) => isValidCpf(value) || isValidCnpj(value, { version: 2 }), 'must be a valid CPF or CNPJ')
  // The check of the digits skips everything else.
  .refine((value) => !hasInvisibleCharacters(value), onlyVisible);

/** The instant-payment key of a payee: CPF, CNPJ, e-mail, phone or random key. */
export const pixKey = z
  .string()
  .max(128, 'must not be longer than 128 characters')
  .refine((value) => isValidPixKey(value), 'must be a pix key: a CPF, CNPJ, e-mail, phone or random key')
  .refine((value) => !hasInvisibleCharacters(value), onlyVisible)
  .refine((value) => !isPixKeyOfACard(value), notACard);

/** Only an e-mail has room for one; the digits of a CNPJ or a phone are their own. */
function isPixKeyOfACard(value: string): boolean {
  return value.includes('@') && mayHoldPan(value);
}

export const email = z
  .email('must be an e-mail address')
  .max(254)
  .refine((value) => !mayHoldPan(value), notACard);

export const phone = z
  .string()
  .regex(/^\+?[\d ().-]{8,24}$/, 'must be a phone number with country code, such as +5511987654321')
  .refine((value) => !isCardInAPhone(value.replaceAll(/\D/g, '')), notACard);

/** No phone has more than 15 digits; those of 13 are never taken for a card, for many a phone would be. */
function isCardInAPhone(digits: string): boolean {
  return digits.length > 15 || (digits.length > 13 && mayBePan(digits));
}

/** Where a browser is sent, without anything that would let a card hide in it. */
export const webUrl = z
  .url({ protocol: /^https?$/, error: 'must be an https or http URL' })
  .max(2_048, 'must not be longer than 2048 characters')
  .refine((value) => !hasInvisibleCharacters(value), onlyVisible)
  .refine((value) => !mayHoldPan(value), notACard);

/** An identifier that the service gave: visible ASCII. */
export const serviceId = z.string().regex(/^[\x21-\x7e]{1,128}$/, 'must be an identifier of the service');

/** How many days the workflow goes on reading after the last change. 0 closes it at once. */
export const watchDays = z.int().min(0).max(730).optional();

/**
 * Multiplies every waiting time of the workflow. Set by gateway and client from `POLL_SCALE`, never by callers
 * in production.
 */
export const pollScale = z.number().positive().max(maxPollScale).optional();

/**
 * Says that a `payoutReconciliation` looks after the payment, so that its own reads may be rare. Set by gateway and
 * client.
 */
export const reconciled = z.boolean().optional();

const cardFieldName = /^(credit_?card|card|card_?number|pan|cvv2?|cvc2?|security_?code|track_?data)$/i;

/** An object whose further fields the document does not name: passed on as it is, unless a card hides in it. */
export const openObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.looseObject(shape).superRefine((value, context) => {
    for (const [name, content] of Object.entries(value)) {
      // Not `name in shape`: every shape inherits `toString`, `constructor` and the like.
      if (Object.hasOwn(shape, name)) continue;
      const message = faultOfOpenField(name, content);
      if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
    }
  });

function faultOfOpenField(name: string, content: unknown): string | undefined {
  if (cardFieldName.test(name) || mayHoldPan(name) || isCardIn(content)) return 'must not hold card data';
  if (typeof content === 'object' && content !== null) return 'must be a text, a number or a truth value';
  const texts = typeof content === 'string' ? [name, content] : [name];
  return texts.some(hasInvisibleCharacters) ? onlyVisible : undefined;
}

function isCardIn(content: unknown): boolean {
  // Of numbers only whole ones: the decimals of a score are no digits of a card.
  if (typeof content === 'number') return mayBePan(String(content));
  return typeof content === 'string' && mayHoldPan(content);
}
