import { normaliseStatus } from './statuses.js';

/** Fields whose truth value is the answer itself. */
const truths = ['valid', 'is_valid', 'validated', 'approved'];
/** Fields and words that may speak of the request alone: when good, they prove nothing about the account. */
const envelope = 'success';
const against = /^(invalid|reject|refus|den|fail|error|mismatch|not_|unverified|unconfirmed)/;
const pending =
  /^(process|pend|wait|queue|creat|receiv|accept|request|submit|in_progress|in_analysis|claimed|new$)/;
const inFavour = /^(valid|validated|approved|confirmed|verified|match|matched)$/;

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

/** Whether a text about an account validation says clearly, and without a contradiction, that the account is good. */
export function isFavourable(body: unknown): boolean {
  return weigh(body) === 'in_favour';
}

/**
 * What all statements come to: a word against the account outweighs one of waiting, and that any in favour. In favour
 * counts what stands at the top or one level down, and only when nothing further down speaks against the account.
 */
function weigh(body: unknown): Weight | undefined {
  const statements = [body, ...inner(body)].flatMap((part) => weights(fieldsOf(part)));
  const weight = (['against', 'pending', 'in_favour'] as const).find((each) => statements.includes(each));
  return weight === 'in_favour' && contradicts(body, 0) ? 'against' : weight;
}

/** Nobody nests an answer deeper than this. */
const maxDepth = 16;

/** Whether anything, however deep, speaks against the account. What is nested beyond reason counts as if it did. */
function contradicts(part: unknown, depth: number): boolean {
  if (depth > maxDepth) return true;
  return (
    weights(fieldsOf(part)).includes('against') || inner(part).some((each) => contradicts(each, depth + 1))
  );
}

function weights(fields: Record<string, unknown>): Weight[] {
  const flags = truths.map((name) => fields[name]);
  const words = [fields.status, fields.result].map(normaliseStatus).filter((word) => word !== undefined);
  return [
    ...(flags.includes(false) || fields[envelope] === false ? (['against'] as const) : []),
    ...(flags.includes(true) ? (['in_favour'] as const) : []),
    ...words.flatMap(weightOf),
  ];
}

function weightOf(word: string): Weight[] {
  if (against.test(word)) return ['against'];
  if (pending.test(word)) return ['pending'];
  return inFavour.test(word) ? ['in_favour'] : [];
}

/** The values one level down: an answer may be wrapped. */
function inner(body: unknown): unknown[] {
  return Object.values(fieldsOf(body));
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
