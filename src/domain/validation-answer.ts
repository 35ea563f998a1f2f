import { normaliseStatus } from './statuses.js';

/** Fields whose truth value is the answer itself. */
const truths = ['valid', 'is_valid', 'validated', 'approved'];
const against = /^(invalid|reject|refus|den|fail|error|mismatch|not_|unverified|unconfirmed)/;
const pending =
  /^(process|pend|wait|queue|creat|receiv|accept|request|submit|in_progress|in_analysis|claimed|new$)/;
const inFavour = /^(valid|validated|approved|confirmed|verified|match|matched)$/;
/** Words that may speak of the request alone: they prove nothing about the account, and speak for nothing against it. */
const envelope = /^(success|succeeded|ok|done|complete|completed|finished)$/;
/** Fields that number something, in snake case, and how such a value is written: with a digit but 0, without blanks. */
const numbering =
  /^(((account|bank|external|holder|order|payout|request|transaction|validation)_)?id|uuid|branch_code|cpf|cnpj|branch|agency|(account_)?(number|digit)|ispb)$/;
const number = /^(?=.*[1-9])[\w./-]{1,64}$/;
/** Fields that date something, and how a date is written. */
const dating = /^((created|updated|requested|processed|validated|confirmed)_at|date|time|timestamp)$/;
const date = /^[\d]{1,4}[\d\s:./TZ+-]+$/;
/** Fields of which a truth is good. */
const good =
  /^((is|has|account|name|document|bank|holder|owner)_)*(valid|validated|approved|confirmed|verified|match|matched|success|ok|exists|active)$/;
/** Fields that name a bank. */
const bankName = /^(bank|bank_name|provider)$/;
/** Fields that say which kind of account it is, and what they may say. */
const kind = /^(account_type|type|kind)$/;
const kinds =
  /^(checking|current|savings?|salary|payment|corrente|poupanca|salario|pagamento|conta_\w+|cc|cp|pix)$/;
/** What an answer may be parted into. A list of errors or of faulty fields is none of them. */
const part =
  /^(account|account_validation|bank|beneficiary|check|checks|data|holder|owner|payload|payee|result|response|validation)?$/;
/** Nobody nests an answer deeper than this. */
const maxDepth = 16;

type Weight = 'against' | 'pending' | 'in_favour';

/**
 * How much a text about an account validation says, in a vocabulary that is not documented: a `verdict`, that it is
 * still `pending`, or something `unclear`.
 */
export function readValidationAnswer(body: unknown): 'verdict' | 'pending' | 'unclear' {
  const weight = weigh(body);
  if (weight === undefined) return 'unclear';
  return weight === 'pending' ? 'pending' : 'verdict';
}

/**
 * Whether a text about an account validation says clearly that the account is good: a statement in favour of it stands at
 * the top or one level down, and nothing speaks against it. Whatever else is in it has to be good as well, or data: what of
 * the request comes back, as it was sent, a number, a date, a bank. What is not understood speaks against the account.
 *
 * @param request the body of the request
 */
export function isFavourable(body: unknown, request: unknown): boolean {
  if (weigh(body) !== 'in_favour') return false;
  const sent = fieldsOf(request);
  const name = plain(sent.first_name) + plain(sent.last_name);
  return isHarmless('', body, { name, holder_name: name, full_name: name, ...sent }, 0);
}

/** What the statements at the top and one level down come to: a word against outweighs one of waiting, that any in favour. */
function weigh(body: unknown): Weight | undefined {
  const statements = [body, ...Object.values(fieldsOf(body))].flatMap((part) => weights(fieldsOf(part)));
  return (['against', 'pending', 'in_favour'] as const).find((each) => statements.includes(each));
}

function weights(fields: Record<string, unknown>): Weight[] {
  const flags = [...truths, 'success'].map((name) => fields[name]);
  const isInFavour = truths.some((name) => fields[name] === true);
  const words = [fields.status, fields.result].map(normaliseStatus).filter((word) => word !== undefined);
  return [
    ...(flags.includes(false) ? (['against'] as const) : []),
    ...(isInFavour ? (['in_favour'] as const) : []),
    ...words.flatMap(weightOf),
  ];
}

function weightOf(word: string): Weight[] {
  if (against.test(word)) return ['against'];
  if (pending.test(word)) return ['pending'];
  return inFavour.test(word) ? ['in_favour'] : [];
}

function isHarmless(name: string, value: unknown, sent: Record<string, unknown>, depth: number): boolean {
  if (depth > maxDepth) return false;
  if (value === null || value === '') return true;
  const field = name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  if (typeof value === 'object') {
    const parts = Object.entries(value);
    if (parts.length > 0 && !part.test(field)) return false;
    return parts.every(([inner, within]) =>
      isHarmless(Array.isArray(value) ? name : inner, within, sent, depth + 1),
    );
  }
  if (value === true || value === 'true') return good.test(field);
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  if (Object.hasOwn(sent, field)) return plain(value) === plain(sent[field]);
  const word = normaliseStatus(String(value)) ?? '';
  if (inFavour.test(word) || envelope.test(word)) return true;
  if (bankName.test(field)) return weightOf(word).length === 0;
  if (kind.test(field)) return kinds.test(word);
  const text = String(value);
  return (numbering.test(field) && number.test(text)) || (dating.test(field) && date.test(text));
}

/** Letters and digits alone, without accents and leading zeros: as different systems write the same. */
function plain(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value)
        .normalize('NFKD')
        .replaceAll(/[^\p{L}\p{N}]/gu, '')
        .replace(/^0+/, '')
        .toLowerCase()
    : '';
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
