import { normaliseStatus } from './statuses.js';

/** Fields whose truth value is the answer itself. */
const truths = ['valid', 'is_valid', 'validated', 'approved', 'success'];
const verdicts =
  /^(in)?valid(ated)?$|^(approv|reject|refus|den|fail|error|success|done|ok$|complete|confirm|verified|match|mismatch|not_)/;
const favourable = /^(valid|validated|approved|success|successful|ok|confirmed|verified|match|matched)$/;
const pending =
  /^(process|pend|wait|queue|creat|receiv|accept|request|submit|in_progress|in_analysis|claimed|new$)/;

/**
 * How much a text about an account validation says, in a vocabulary that is not documented: a `verdict`, that it is
 * still `pending`, or something `unclear`.
 */
export function readValidationAnswer(body: unknown): 'verdict' | 'pending' | 'unclear' {
  for (const fields of [body, ...inner(body)].map(fieldsOf)) {
    if (truths.some((name) => typeof fields[name] === 'boolean')) return 'verdict';
    const word = normaliseStatus(fields.status) ?? normaliseStatus(fields.result);
    if (word === undefined) continue;
    if (pending.test(word)) return 'pending';
    return verdicts.test(word) ? 'verdict' : 'unclear';
  }
  return 'unclear';
}

/** Whether a text about an account validation says clearly that the account is good. */
export function isFavourable(body: unknown): boolean {
  for (const fields of [body, ...inner(body)].map(fieldsOf)) {
    const truth = truths.map((name) => fields[name]).find((value) => typeof value === 'boolean');
    if (truth !== undefined) return truth;
    const word = normaliseStatus(fields.status) ?? normaliseStatus(fields.result);
    if (word !== undefined) return favourable.test(word);
  }
  return false;
}

/** The values one level down: an answer may be wrapped. */
function inner(body: unknown): unknown[] {
  return Object.values(fieldsOf(body));
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
