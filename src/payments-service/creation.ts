import { printableLine } from '../domain/plain-text.js';
import type { Creation } from './result.js';
import { hideExact, repeatsSecret, type Secrets } from './secrets.js';
import { readRecord } from './wire.js';

const maxDepth = 8;
const maxItems = 100;
const maxTextLength = 2_048;
const maxAnswerLength = 16_384;

/** Names under which card data may come back; what stands there is dropped. */
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
  return { id: harmless(record.id), status: harmless(record.status), answer: boundedAnswer(body, secrets) };
}

function boundedAnswer(body: unknown, secrets: Secrets): Record<string, unknown> | null {
  const bounded = boundedValue(body, secrets, 0);
  if (typeof bounded !== 'object' || bounded === null) return null;
  return JSON.stringify(bounded).length > maxAnswerLength ? null : { ...bounded };
}

function boundedValue(value: unknown, secrets: Secrets, depth: number): unknown {
  if (typeof value === 'string') return boundedText(value, secrets);
  if (typeof value === 'number') return hideExact(String(value), secrets) === String(value) ? value : null;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= maxDepth) return null;
  if (Array.isArray(value)) {
    return value.slice(0, maxItems).map((item) => boundedValue(item, secrets, depth + 1));
  }
  const fields = Object.entries(value)
    .filter(([name]) => !cardNames.test(name))
    .slice(0, maxItems)
    .map(([name, item]) => [boundedText(name, secrets), boundedValue(item, secrets, depth + 1)] as const);
  return Object.fromEntries(fields);
}

function boundedText(text: string, secrets: Secrets): string {
  return printableLine(hideExact(text, secrets).slice(0, maxTextLength));
}
