import { withoutPans } from './cards.js';
import { printableLine } from './plain-text.js';
import { asRecord } from './records.js';

/** The end of a key or of an account; of an e-mail address the end of the name in it, with its domain. */
function ending(text: string): string {
  const at = text.lastIndexOf('@');
  if (at > 0) return `…${text.slice(Math.max(1, at - 3))}`;
  return `…${text.slice(-Math.min(4, Math.floor(text.length / 2)))}`;
}

/** The middle of a CPF or CNPJ, as Brazil's authorities publish them. */
function middle(text: string): string {
  return `…${text.replaceAll(/[^0-9A-Za-z]/g, '').slice(3, -2)}…`;
}

const maskedFields = {
  pix: ending,
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

/** Of which amount, in reais, and of which payee something is; absent where it names none. */
export type MoneyOf = {
  readonly value?: number | undefined;
  readonly payee?: string | undefined;
  /** Of the attempt before, where that had another one. */
  readonly payee_before?: string | undefined;
};

/** What a request, the corrections of a retry, or a state says of the money. Each may be anything. */
export function moneyOf(about: unknown): MoneyOf {
  const { attempts, corrections, order, value } = asRecord(about);
  const amount = value ?? asRecord(order).value;
  const payees = Array.isArray(attempts)
    ? attempts.map((attempt) => asRecord(attempt).payee)
    : [maskedPayee(corrections ?? about)];
  const [payee, before] = [payees.at(-1), payees.at(-2)];
  return {
    ...(typeof amount === 'number' && { value: amount }),
    ...(typeof payee === 'string' && { payee }),
    ...(typeof before === 'string' && before !== payee && { payee_before: before }),
  };
}
