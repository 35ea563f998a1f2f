import { attentions } from './attention.js';
import { cardQueuePattern, cardRefPattern } from './card-to-send.js';
import { mayHoldPan } from './cards.js';
import { longestCallback } from './completion.js';
import { referenceProblem } from './ids.js';
import { toCentavos } from './money.js';
import { lineFault } from './plain-text.js';
import { serviceIdPattern } from './service-ids.js';
import { statusProblem } from './statuses.js';

type Rule = { required?: true; problem: (value: unknown) => string | undefined };

/** What stays in a payment's history and timeline: whoever sends it, it holds no card. */
const text = (maxLength: number): Rule => ({
  problem: (value) => {
    if (typeof value !== 'string' || value.trim() === '' || value.length > maxLength)
      return `must be a text of at most ${String(maxLength)} characters`;
    const fault = lineFault(value);
    if (fault !== undefined) return fault;
    return mayHoldPan(value) ? 'must not hold a card number' : undefined;
  },
});
const always = (...wanted: readonly unknown[]): Rule => ({
  problem: (value) =>
    wanted.includes(value) ? undefined : `must be ${wanted.map((each) => JSON.stringify(each)).join(' or ')}`,
});
const wholeNumber: Rule = {
  problem: (value) =>
    Number.isSafeInteger(value) && Number(value) >= 1 ? undefined : 'must be a whole number from 1',
};
const amount: Rule = {
  problem: (value) =>
    typeof value === 'number' && toCentavos(value) !== undefined
      ? undefined
      : 'must be an amount with at most two decimals',
};
const serviceId: Rule = {
  problem: (value) =>
    (typeof value === 'string' && serviceIdPattern.test(value)) ||
    (Number.isSafeInteger(value) && Number(value) >= 0)
      ? undefined
      : 'must be an identifier of the service, as a text or a whole number',
};
/** With at most nine digits of a second: more could be a card number. */
const moment = (zone = 'Z'): Rule => {
  const form = new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,9})?)?${zone}$`);
  return {
    problem: (value) =>
      typeof value === 'string' && form.test(value) && !Number.isNaN(Date.parse(value))
        ? undefined
        : 'must be a moment such as 2026-11-28T12:00:00Z',
  };
};
/** As a bulk retry is started with it. */
const bulkRetryId: Rule = {
  problem: (value) => (typeof value === 'string' ? referenceProblem(value) : 'must be a text'),
};
/** Checked by {@link correctionsProblem}, which knows the way to pay. */
const corrections: Rule = {
  problem: (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'must be an object',
};
const required = (rule: Rule): Rule => ({ ...rule, required: true });
const fitting = (pattern: RegExp, problem: string): Rule => ({
  problem: (value) => (typeof value === 'string' && pattern.test(value) ? undefined : problem),
});
const list = (maxLength: number, each: Rule): Rule => ({
  problem: (value) => {
    const most = `must be a list of at most ${String(maxLength)}`;
    if (!Array.isArray(value) || value.length > maxLength) return most;
    const problem = value.map((item) => each.problem(item)).find((found) => found !== undefined);
    return problem === undefined ? undefined : `${most}, each of which ${problem}`;
  },
});

/** Where a card waits. It is in the history and in the state, so it has room for nothing else. */
const cardReference = {
  card_ref: required(fitting(cardRefPattern, 'must be the card_ref that POST /v1/cards answers')),
  task_queue: required(fitting(cardQueuePattern, 'must be the task_queue that POST /v1/cards answers')),
  expires_at: moment('(Z|[+-]\\d\\d:\\d\\d)'),
};

/** Of `awaitStatus`: how many statuses it names, and how long it waits at most. */
export const awaitBounds = { statuses: 20, seconds: 30 } as const;

/** Of what an order-management service sends in the course of an order. */
const operator = { by: text(128), reason: text(500) };
/** Of a decision: it stays in the payment's timeline for good. */
const decided = { by: required(text(128)), reason: required(text(500)), take_before: moment() };

/** The fields of each command's message; any other field is refused. */
const commandFields = {
  acknowledgeAttention: { attention: required(always(...attentions)), accept_value: amount, ...decided },
  retryPayout: { attempt: wholeNumber, corrections, bulk_retry_id: bulkRetryId, ...decided },
  abandonPayout: decided,
  resolveSubmission: { service_id: serviceId, nothing_happened: always(true), ...decided },
  provideCard: { ...cardReference, ...operator, take_before: moment() },
  completeThreeDSecure: {
    callback: required(text(longestCallback)),
    eci: required(text(16)),
    card: required({
      problem: (value) =>
        isCardReference(value)
          ? undefined
          : 'must have card_ref and task_queue as POST /v1/cards answers them',
    }),
    ...operator,
    take_before: moment(),
  },
  issueThreeDSecureToken: operator,
  retryRefund: { nothing_queued: always(true), ...decided },
  awaitStatus: {
    statuses: required(list(awaitBounds.statuses, { problem: statusProblem })),
    timeout_seconds: required({
      problem: (value) =>
        typeof value === 'number' && value > 0 && value <= awaitBounds.seconds
          ? undefined
          : `must be above 0, at most ${String(awaitBounds.seconds)}`,
    }),
  },
  pause: decided,
  resume: decided,
  stop: decided,
  resolveRefund: { outcome: required(always('refunded', 'not_refunded')), ...decided },
} as const satisfies Record<string, Record<string, Rule>>;

export type CommandMessageName = keyof typeof commandFields;

/**
 * What is wrong with the message of a command, in words for its sender; undefined when nothing is. A command that is
 * sent without any message is one without fields. A Signal is checked again in each replay: whoever makes a rule of
 * `retryPayout` stricter guards it there by `patched`, for payouts that have taken what is refused from then on.
 */
export function messageProblem(name: CommandMessageName, message: unknown): string | undefined {
  const rules: Record<string, Rule> = commandFields[name];
  if (message === undefined || message === null) return fieldsProblem(name, rules, {});
  if (typeof message !== 'object' || Array.isArray(message)) {
    return `${name} takes an object with the fields ${Object.keys(rules).join(', ')}.`;
  }
  return fieldsProblem(name, rules, { ...message });
}

function fieldsProblem(
  name: string,
  rules: Record<string, Rule>,
  fields: Record<string, unknown>,
): string | undefined {
  for (const [field, value] of Object.entries(fields)) {
    const rule = Object.hasOwn(rules, field) ? rules[field] : undefined;
    if (rule === undefined) {
      return `${name} has no field ${withoutContent(field)}; it takes ${Object.keys(rules).join(', ')}.`;
    }
    const problem = value === undefined ? undefined : rule.problem(value);
    if (problem !== undefined) return `${field} ${problem}.`;
  }
  const absent = Object.entries(rules).find(([field, rule]) => rule.required && fields[field] === undefined);
  return absent === undefined ? undefined : `${name} needs ${absent[0]}.`;
}

/** The name of a field that nobody knows may be anything, a card number too: only its letters are repeated. */
function withoutContent(field: string): string {
  return field.slice(0, 40).replaceAll(/[^A-Za-z_]+/g, '…');
}

/** Whether a value refers to a card in the memory of a gateway, and says nothing else. */
export function isCardReference(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    fieldsProblem('card', cardReference, { ...value }) === undefined
  );
}
