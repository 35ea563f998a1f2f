import { z } from 'zod';
import { maxPollScale } from '../domain/cadence.js';
import { mayBePan, mayHoldPan, numberMayHoldPan } from '../domain/cards.js';
import { partnerCodeProblem, referenceProblem } from '../domain/ids.js';
import type { PaymentKind } from '../domain/kinds.js';
import { toCentavos } from '../domain/money.js';
import { payeeFaults, payeeForms } from '../domain/payee-forms.js';
import { readPixKey } from '../domain/pix-keys.js';
import { lineFault, withoutOuterBlanks } from '../domain/plain-text.js';
import { serviceIdPattern } from '../domain/service-ids.js';
import { statusOf, statusProblem } from '../domain/statuses.js';
import { isTaxId } from '../domain/tax-ids.js';

const notACard = payeeFaults.card;

/** Refuses a text that is not one well-formed line. */
function oneLine(value: string, context: z.RefinementCtx): void {
  const message = lineFault(value);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
}

/** A value of characters that mean themselves: blanks around it are left out. */
export const trimmed = () => z.string().overwrite(withoutOuterBlanks);

/** A text that is longer is not looked at any further. */
const atMost = (maxLength: number) => ({
  error: `must not be longer than ${String(maxLength)} characters`,
  abort: true,
});

/** A short text of one line, as the service's string fields are; it must not be where a card hides. */
export const text = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be empty')
    .max(maxLength, atMost(maxLength))
    // Behind the bound: of many marks in a row it takes long.
    .normalize('NFC')
    .superRefine(oneLine)
    .refine((value) => !mayHoldPan(value), notACard);

/** A unique reference that the caller chooses: `problemOf` states what is wrong with it, `marker` is what it must not end in. */
export const reference = (
  description: string,
  problemOf: (value: string) => string | undefined,
  marker?: string,
) =>
  z
    .string('must be a text')
    .superRefine((value, context) => {
      const message = problemOf(value);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    })
    .meta({ description, ...codeShape(marker) });

/** The caller's unique reference of a payment, and its idempotency key. */
export const partnerCode = (kind: PaymentKind) =>
  reference(
    'Your unique reference of the payment, and its idempotency key; not a card number',
    (value) => partnerCodeProblem(kind, value),
    kind === 'payout' ? '-r[0-9]+' : undefined,
  );

/** The partner_code of a payment of any kind, to find it by; a start asks more of it. */
export const anyPartnerCode = reference('The partner_code of a payment', referenceProblem);

/** A status in its normal form, of ours or of the service. */
export const statusWord = z.string().superRefine((word, context) => {
  const message = statusProblem(word);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/** A status that somebody saw at the service, in its normal form: any plain word. */
export const seenStatus = z
  .string()
  .max(64, atMost(64))
  .refine((word) => statusOf(word) === word, 'must be a status in its normal form, such as done');

/** The name of an API key, as `API_KEYS` has it. */
export const apiKeyName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be the name of an API key')
  .refine((name) => !mayHoldPan(name), notACard);

/** The JSON Schema of a code. */
function codeShape(marker?: string) {
  const unmarked = marker === undefined ? '' : `(?!.*${marker}$)`;
  return { minLength: 1, maxLength: 64, pattern: `^${unmarked}[A-Za-z0-9][A-Za-z0-9._-]*$` };
}

const longMoment = 'must be a moment with at most nine digits of a second';
const momentOf = (options: { offset: boolean }) =>
  z
    .string()
    .overwrite((text) => text.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?=Z|[+-])/, '$1:00'))
    .check(z.iso.datetime({ ...options, error: 'must be a moment, such as 2026-05-01T00:00:00Z' }))
    .max('2026-05-01T00:00:00.123456789+00:00'.length, longMoment)
    .refine((text) => !/\.\d{10}/.test(text), longMoment);

/** A moment with its offset from UTC. Spreadsheets leave its seconds out. */
export const moment = momentOf({ offset: true });

/** A moment in UTC, as programs write it. */
export const utcMoment = momentOf({ offset: false });

/** An amount in reais as a JSON number: positive, at most two decimals. */
export const amount = z
  .number('must be a number, such as 150 or 19.9')
  .refine(
    (value) => toCentavos(value) !== undefined,
    'must be above 0, at most 99999999.99, with at most two decimals',
  )
  .meta({ description: 'Amount in reais, at most two decimals', minimum: 0.01, maximum: 99_999_999.99 });

/** A Brazilian tax id: CPF or CNPJ (numeric or alphanumeric), with or without punctuation. */
export const taxId = trimmed()
  .regex(payeeForms.document, { error: payeeFaults.document, abort: true })
  .refine(isTaxId, payeeFaults.document)
  .describe('CPF or CNPJ with its check digits, with or without punctuation');

/** The instant-payment key of a payee: CPF, CNPJ, e-mail, phone or random key. */
export const pixKey = trimmed()
  .min(5, { error: payeeFaults.pix, abort: true })
  .max(128, atMost(128))
  .superRefine((value, context) => {
    const { fault } = readPixKey(value);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  })
  .overwrite((value) => readPixKey(value).key ?? value)
  .describe('A CPF, CNPJ, e-mail, mobile phone with country code (+55), or random key (UUID)');

export const email = trimmed()
  .max(254, atMost(254))
  .regex(payeeForms.email, payeeFaults.email)
  .refine((value) => !mayHoldPan(value), notACard)
  .meta({ format: 'email' });

export const phone = trimmed()
  .regex(payeeForms.phone, { error: payeeFaults.phone, abort: true })
  .refine((value) => !isCardInAPhone(value.replaceAll(/\D/g, '')), notACard);

/** No phone has more than 15 digits; those of 13 are never taken for a card, for many a phone would be. */
function isCardInAPhone(digits: string): boolean {
  return digits.length > 15 || (digits.length > 13 && mayBePan(digits));
}

/** Where a browser is sent, without anything that would let a card hide in it. */
export const webUrl = z
  .url({ protocol: /^https?$/, error: 'must be an https or http URL' })
  .max(2_048, atMost(2_048))
  .superRefine(oneLine)
  .refine((value) => !mayHoldPan(value), notACard);

/** An identifier that the service gave, as a workflow starts from it. */
export const serviceId = z.string().regex(serviceIdPattern, 'must be an identifier of the service');

/** The same from whoever copies it: the service's list has whole numbers. */
export const copiedServiceId = z
  .union([serviceId, z.int().min(0)], 'must be an identifier of the service')
  .transform(String);

/** How many days the workflow goes on reading after the last change. 0 closes it at once. */
export const watchDays = z.int().min(0).max(730).optional();

/**
 * Multiplies every waiting time of the workflow. Set by gateway and client from `POLL_SCALE`, never by callers
 * in production.
 */
export const pollScale = z.number().positive().max(maxPollScale).optional();

/**
 * Whether a `payoutReconciliation` covers the payment, so that its own reads may be rare. Set by gateway and
 * client.
 */
export const reconciled = z.boolean().optional();

const cardFieldName = /^(credit_?card|card|card_?number|pan|cvv2?|cvc2?|security_?code|track_?data)$/i;

const openLengths = { fields: 100, name: 64, text: 2_048 } as const;

/** A value of a field that the service does not document. */
export const openValue = z.union(
  [z.string().max(openLengths.text), z.number(), z.boolean(), z.null()],
  `must be a text of at most ${String(openLengths.text)} characters, a number or a truth value`,
);

/** An object whose further fields the document does not name: passed on as it is, unless a card hides in it. */
export const openObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z
    .object(shape)
    .catchall(openValue)
    .superRefine((value, context) => {
      const fields = Object.entries(value);
      if (fields.length > openLengths.fields) {
        const message = `must have at most ${String(openLengths.fields)} fields`;
        context.addIssue({ code: 'custom', message });
        return;
      }
      for (const [name, content] of fields) {
        // Not `name in shape`: every shape inherits `toString`, `constructor` and the like.
        if (Object.hasOwn(shape, name)) continue;
        const message = faultOfOpenField(name, content);
        if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
      }
    })
    .meta({ maxProperties: openLengths.fields });

function faultOfOpenField(name: string, content: unknown): string | undefined {
  if (name.length > openLengths.name)
    return `must have a name of at most ${String(openLengths.name)} characters`;
  if (cardFieldName.test(name) || mayHoldPan(name) || isCardIn(content)) return 'must not hold card data';
  const texts = typeof content === 'string' ? [name, content] : [name];
  return texts.map(lineFault).find((fault) => fault !== undefined);
}

function isCardIn(content: unknown): boolean {
  if (typeof content === 'number') return numberMayHoldPan(content);
  return typeof content === 'string' && mayHoldPan(content);
}
