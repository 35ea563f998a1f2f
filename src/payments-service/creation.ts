import { beginningWithoutPans, numberMayHoldPan } from '../domain/cards.js';
import { printableLine } from '../domain/plain-text.js';
import { asRecord } from '../domain/records.js';
import type { Creation, ServiceResult } from './result.js';
import { hidden, hideExact, repeatsSecret, type Secrets } from './secrets.js';
import { wordsOfJson } from './service-words.js';
import { readRecord } from './wire.js';

const maxDepth = 8;
const maxItems = 100;
const maxTextLength = 2_048;
/** A secret that begins in what is kept of a text ends within it: a token has at most 8,192 characters. */
const maxSecretLength = 16_384;
const maxAnswerLength = 16_384;

/** Names under which card data may come back; what stands there is left out. */
const cardNames = /^(credit_?card|card_?number|pan|cvv2?|cvc2?|security_?code|holder|due_date)$/i;

/**
 * What a creating call answered. An empty success is one without id and status. Undefined for what is JSON but no
 * object.
 */
export function readCreation(body: unknown, secrets: Secrets): Creation | undefined {
  if (body === undefined) return { id: null, status: null, answer: null };
  const record = readRecord(body);
  if (record === undefined) return undefined;
  const harmless = (text: string | null) => (text !== null && repeatsSecret(text, secrets) ? null : text);
  const id = harmless(record.id);
  const isDenied = deniesItself(body);
  const words = id === null || isDenied ? wordsOfJson(body, secrets) : undefined;
  return {
    ...{ id, status: harmless(record.status), answer: boundedAnswer(body, secrets) },
    ...(isDenied && { isDenied }),
    ...(words !== undefined && { words }),
  };
}

/** Whether a success says, at the top or one level down, that it failed. */
function deniesItself(body: unknown): boolean {
  return [body, ...Object.values(asRecord(body))].some((part) => {
    const { success, error, errors } = asRecord(part);
    const hasErrors = Array.isArray(errors) ? errors.length > 0 : Boolean(errors);
    return [false, 0, 'false', '0'].some((no) => no === success) || Boolean(error) || hasErrors;
  });
}

/** The answer to the request of a refund: its own status may say that it failed. */
export function deniedByStatus(sent: ServiceResult<Creation>): ServiceResult<Creation> {
  if (sent.outcome !== 'answered' || !/^(error|fail|den|refus|reject)/i.test(sent.value.status ?? ''))
    return sent;
  return { ...sent, value: { ...sent.value, isDenied: true } };
}

/** What an identifier in a success proves: that there `is` one, that there is one and there `must be`, or nothing. */
export type IdentifierProof = 'is' | 'must be' | 'nothing';

/** What a success proves. One that says itself that it failed, or lacks an identifier that it must have, proves nothing. */
export function provenByAnswer(
  sent: ServiceResult<Creation>,
  identifier: IdentifierProof,
): ServiceResult<Creation> {
  if (sent.outcome !== 'answered') return sent;
  const { id, isDenied = false, words } = sent.value;
  if (id !== null && (identifier !== 'nothing' || !isDenied)) return sent;
  if (!isDenied && identifier !== 'must be') return sent;
  const what = isDenied ? 'says that it failed' : 'gave no usable identifier';
  return {
    ...{ outcome: 'unknown', httpStatus: null, reason: `The service answered with success, and ${what}.` },
    ...(words !== undefined && { words }),
  };
}

function boundedAnswer(body: unknown, secrets: Secrets): Record<string, unknown> | null {
  if (isFarTooLong(body)) return null;
  const bounded = boundedValue(body, secrets, 0);
  if (typeof bounded !== 'object' || bounded === null) return null;
  return JSON.stringify(bounded).length > maxAnswerLength ? null : { ...bounded };
}

/** Whether what would be kept is twice what may be kept, counted before each text is searched for card numbers. */
function isFarTooLong(body: unknown): boolean {
  let length = 0;
  const addText = (text: string) => (length += Math.min(text.length, maxTextLength));
  const add = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null) addText(String(value));
    else if (depth < maxDepth) {
      for (const [name, item] of Object.entries(value).slice(0, maxItems)) {
        if (length > 2 * maxAnswerLength) return;
        addText(name);
        add(item, depth + 1);
      }
    }
  };
  add(body, 0);
  return length > 2 * maxAnswerLength;
}

const namesId = /(^|[_-]|[a-z])(id|uuid|code)$/i;
/** The digits of a boleto as people type them: some of its groups look like a card number. */
const boletoLine = /^\d{5}[. ]?\d{5} ?\d{5}[. ]?\d{6} ?\d{5}[. ]?\d{6} ?\d ?\d{14}$/;

/** What is left out is marked: of an answer to a validation it might be what speaks against the account. */
function boundedValue(value: unknown, secrets: Secrets, depth: number, name = ''): unknown {
  if (typeof value === 'string') {
    const text = harmlessText(value, secrets);
    const beginning = text.slice(0, maxTextLength);
    // An identifier, and an address with one, may have long digits.
    const mayHaveDigits = namesId.test(name) || /^https?:/i.test(text) || boletoLine.test(beginning);
    return mayHaveDigits ? beginning : beginningWithoutPans(text, maxTextLength);
  }
  if (typeof value === 'number') {
    const isCard = !namesId.test(name) && numberMayHoldPan(value);
    return isCard || hideExact(String(value), secrets) !== String(value) ? hidden : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return hidden;
  if (Array.isArray(value)) {
    const items = value.slice(0, maxItems).map((item) => boundedValue(item, secrets, depth + 1));
    return value.length > maxItems ? [...items, hidden] : items;
  }
  const fields = Object.entries(value);
  const bounded = fields.slice(0, maxItems).map(([name, item]) => {
    const within = cardNames.test(name) ? hidden : boundedValue(item, secrets, depth + 1, name);
    return [harmlessText(name, secrets).slice(0, maxTextLength), within] as const;
  });
  return Object.fromEntries(fields.length > maxItems ? [...bounded, [hidden, hidden]] : bounded);
}

/** As far as it is read. */
function harmlessText(text: string, secrets: Secrets): string {
  return printableLine(hideExact(text.slice(0, maxTextLength + maxSecretLength), secrets));
}
