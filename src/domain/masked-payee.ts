import { withoutPans } from './cards.js';
import { toCentavos, toDecimal } from './money.js';
import { printableLine } from './plain-text.js';
import { asRecord } from './records.js';
import { isTaxId } from './tax-ids.js';

/** The end of an account or a key: half of it at most. */
function ending(text: string): string {
  return `…${text.slice(-Math.min(4, Math.floor(text.length / 2)))}`;
}

/** Of an e-mail address the end of the name in it, with its domain; of a CPF or CNPJ its middle. */
function maskedKey(key: string): string {
  if (isTaxId(key)) return middle(key);
  const at = key.lastIndexOf('@');
  return at < 0 ? ending(key) : `…${key.slice(at - Math.min(3, Math.floor(at / 2)))}`;
}

/** The middle of a CPF or CNPJ, as Brazil's authorities publish them. */
function middle(text: string): string {
  return `…${text.replaceAll(/[^0-9A-Za-z]/g, '').slice(3, -2)}…`;
}

const maskedFields = {
  pix: maskedKey,
  bank_code: (text: string) => text,
  agency: (text: string) => text,
  account: ending,
  document: middle,
} as const;
const longest = 64;

/**
 * Who is paid by these fields, which may be anything: enough to recognise a payee, too little to pay him. Null when they
 * name nobody.
 */
export function maskedPayee(fields: unknown): string | null {
  const given = asRecord(fields);
  const parts = Object.entries(maskedFields).flatMap(([name, mask]) => {
    const text = given[name];
    return typeof text === 'string' && text.trim() !== ''
      ? [`${name.replace('_code', '')} ${mask(text.trim().slice(0, longest))}`]
      : [];
  });
  return parts.length === 0 ? null : printableLine(withoutPans(parts.join(', ')));
}

/** What a correction changes about who is paid, in words; undefined when nothing. Two payees may be masked alike. */
export function redirection(before: object, after: object): string | undefined {
  const [old, given] = [asRecord(before), asRecord(after)];
  if (Object.keys(maskedFields).every((name) => old[name] === given[name])) return undefined;
  const [payee, instead] = [maskedPayee(given) ?? 'nobody', maskedPayee(old) ?? 'nobody'];
  return payee === instead
    ? `It pays ${payee}, another one than before, who is masked alike`
    : `It pays ${payee}, not ${instead}`;
}

/** Of which amount, in reais, and of which payee something is; absent where it names none. */
export type MoneyOf = {
  readonly value?: number | undefined;
  /** Of a batch: how many payouts `value` is the sum of. */
  readonly payouts?: number | undefined;
  readonly payee?: string | undefined;
  /** Of a retry: the payee of the attempt before. */
  readonly payee_before?: string | undefined;
};

/** What a request, or the corrections of a retry, says of the money. It may be anything, and nothing of it is shown in full. */
export function moneyOfRequest(request: unknown): MoneyOf {
  const { corrections, order, payouts, value } = asRecord(request);
  if (Array.isArray(payouts)) return moneyOfBatch(payouts);
  return named(value ?? asRecord(order).value, maskedPayee(corrections ?? request));
}

function moneyOfBatch(payouts: readonly unknown[]): MoneyOf {
  let sum = 0;
  for (const row of payouts) {
    const { value } = asRecord(row);
    const centavos = typeof value === 'number' ? toCentavos(value) : undefined;
    // The batch is refused for it.
    if (centavos === undefined) return { payouts: payouts.length };
    sum += centavos;
  }
  return { payouts: payouts.length, value: toDecimal(sum) };
}

/** What a state of ours, which is masked, says of it after a command. */
export function moneyOfState(state: unknown, command: string): MoneyOf {
  const { attempts, payee, value } = asRecord(state);
  const [, before] = Array.isArray(attempts) ? attempts.toReversed().map(asRecord) : [];
  const isRetry = command === 'retryPayout' && typeof before?.payee === 'string';
  return { ...named(value, payee), ...(isRetry && { payee_before: String(before.payee) }) };
}

function named(value: unknown, payee: unknown): MoneyOf {
  return {
    ...(typeof value === 'number' && toCentavos(value) !== undefined && { value }),
    ...(typeof payee === 'string' && { payee }),
  };
}
