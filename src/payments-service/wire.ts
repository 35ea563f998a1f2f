import { z } from 'zod';
import { decimalText, statedCentavos, unreadableAmount } from '../domain/money.js';
import { printableLine } from '../domain/plain-text.js';
import { serviceIdPattern } from '../domain/service-ids.js';
import { mayHoldPan, withoutPans } from '../domain/cards.js';
import { statusOf } from '../domain/statuses.js';
import { maxRecordsOfAPage } from './answer-bounds.js';
import type { IssuedToken, ListedPayout, OrderRecord, PayoutList, PayoutRecord } from './result.js';

/** As it is: to copy each field of an answer takes long. */
const object = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
);

/** Null when a path could not carry it, or when JSON could not carry it exactly: an answer that has come can't be refused. */
const identifier = z
  .union([z.string().trim().regex(serviceIdPattern), z.int().positive().transform(String)])
  .nullable()
  .catch(null);

const status = z
  .unknown()
  .transform((word) => statusOf(word) ?? null)
  .catch(null);

const count = z.int().min(0).nullable().catch(null);

const record = z.object({
  id: identifier,
  status,
  partner_code: identifier,
  ...{ value: z.unknown().optional(), amount: z.unknown().optional(), currency: z.unknown().optional() },
  claimed_at: z.string().max(64).transform(withoutPans).nullable().catch(null),
});

const amount = z
  .unknown()
  .transform((value) => {
    if (value === undefined || value === null) return null;
    const isAmount = typeof value === 'number' || typeof value === 'string';
    const stated = isAmount ? statedCentavos(value) : undefined;
    return stated === undefined ? unreadableAmount : decimalText(stated);
  })
  .catch(null);

/** A text of the service that is kept as it is, but for what could be a card number. */
const shown = (text: string) => printableLine(withoutPans(text));

const word = z.string().max(64).transform(shown).nullable().catch(null);

/** What only the list shows of a payout. */
const listedOnly = z.object({
  ...{ value: amount, fee: amount, tax: amount, total: amount },
  ...{ paid_at: word, provider: word },
});

/** Under these names the thing itself may stand, instead of at the top. */
const wrappers = ['payout', 'order', 'checkout', 'validation', 'data'] as const;

/** The fields of an answer's one thing, whether they stand at its top or one level down. */
function unwrapped(body: Record<string, unknown>): Record<string, unknown> {
  if (identifier.parse(body.id) !== null) return body;
  const inner = wrappers.map((name) => object.safeParse(body[name])).find(({ success }) => success);
  return inner?.success === true ? { ...body, ...inner.data } : body;
}

/**
 * The amount that a record states, under `value` or else under `amount`. What is stated and is no exact amount of reais
 * is kept as its text: it is no amount, and not nothing.
 */
function statedValue({ value, amount, currency }: { value?: unknown; amount?: unknown; currency?: unknown }) {
  const stated = value ?? amount ?? null;
  if (stated === null) return { valueCentavos: null };
  const isAmount = typeof stated === 'number' || typeof stated === 'string';
  const exact = isAmount ? statedCentavos(stated) : undefined;
  const isForeign = typeof currency === 'string' && !/^(brl|r\$|986)?$/i.test(currency.trim());
  if (exact !== undefined && !isForeign) return { valueCentavos: Number(exact) };
  const text = [JSON.stringify(stated), ...(isForeign ? [currency] : [])].join(' ');
  return { valueCentavos: null, valueUnclear: text.length > 64 ? '…' : shown(text) };
}

/** An order or payout record of the service; undefined when the answer is no JSON object. */
export function readRecord(body: unknown): PayoutRecord | undefined {
  const parsed = object.safeParse(body);
  return parsed.success ? recordOf(unwrapped(parsed.data)) : undefined;
}

function recordOf(fields: Record<string, unknown>): PayoutRecord {
  const { id, status: word, partner_code, claimed_at, ...money } = record.parse(fields);
  return { id, status: word, partnerCode: partner_code, ...statedValue(money), claimedAt: claimed_at };
}

/** `GET /v1/order/{id}` */
export function readOrderRecord(body: unknown): OrderRecord | undefined {
  const read = readRecord(body);
  if (read === undefined) return undefined;
  const { claimedAt: _, ...order } = read;
  return order;
}

function readListedPayout(item: unknown): ListedPayout | undefined {
  const parsed = object.safeParse(item);
  if (!parsed.success) return undefined;
  const fields = unwrapped(parsed.data);
  const { paid_at: paidAt, ...more } = listedOnly.parse(fields);
  return { ...recordOf(fields), ...more, paidAt };
}

/** `GET /v1/payouts`; undefined unless every item is a record, for a list with holes proves nothing. */
export function readPayoutList(body: unknown): PayoutList | undefined {
  const list = z
    .object({ payouts: z.array(z.unknown()).max(maxRecordsOfAPage), total_pages: count, current_page: count })
    .safeParse(body);
  if (!list.success) return undefined;
  const payouts = list.data.payouts.flatMap((item) => readListedPayout(item) ?? []);
  if (payouts.length < list.data.payouts.length) return undefined;
  return { payouts, totalPages: list.data.total_pages, currentPage: list.data.current_page };
}

const tokenText = z.string().regex(/^[\x21-\x7e]{1,8192}$/, { abort: true });

/** `POST /v1/auth`. A life that is not readable is taken for the documented 30 minutes. */
export function readIssuedToken(body: unknown): IssuedToken | undefined {
  const issued = z
    .object({ token: tokenText, expire_minutes: z.coerce.number().min(1).max(1_440).catch(30) })
    .safeParse(body);
  return issued.success ? { token: issued.data.token, expireMinutes: issued.data.expire_minutes } : undefined;
}

/** `GET /v1/3ds/token` */
export function readBrowserToken(body: unknown): { token: string } | undefined {
  return z.object({ token: tokenText.refine((token) => !mayHoldPan(token)) }).safeParse(body).data;
}
