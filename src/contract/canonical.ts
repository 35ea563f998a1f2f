import { identifierKey } from '../domain/service-ids.js';

/** Fields of a workflow input that do not make it another request: the card, waiting times, notifications, who requested it and why. */
const notCompared = new Set([
  'card',
  'credit_card',
  'poll_scale',
  'reconciled',
  'starts_per_second',
  'notify',
  'reason',
  'by',
]);

/**
 * The one text of a request, for "same request or another": keys sorted, what is not compared left out. Feed it
 * with parsed input, so that defaults are filled in on both sides.
 */
export function canonicalRequest(input: Record<string, unknown>): string {
  const compared = Object.entries(input).filter(([name]) => !notCompared.has(name));
  return JSON.stringify(sorted(Object.fromEntries(compared)));
}

/**
 * Compares what a workflow was started with and the input of another start.
 *
 * @param parse reads a recorded input as the other was read; undefined when it can't be one
 */
export function comparedWith(
  input: Record<string, unknown>,
  parse: (recorded: unknown) => Record<string, unknown> | undefined,
) {
  return {
    isSame: (recorded: unknown): boolean => {
      const parsed = parse(recorded);
      return parsed !== undefined && canonicalRequest(parsed) === canonicalRequest(input);
    },
    differing: (recorded: unknown): string[] => {
      const parsed = parse(recorded);
      return parsed === undefined ? [] : differingFields(parsed, input);
    },
  };
}

/** The names of the fields in which two requests differ; of an object within, with its own name before them. */
function differingFields(one: Record<string, unknown>, other: Record<string, unknown>): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names]
    .filter((name) => !notCompared.has(name))
    .flatMap((name) => differences(name, one[name], other[name]))
    .sort();
}

function differences(name: string, one: unknown, other: unknown): string[] {
  if (JSON.stringify(comparable(name, one)) === JSON.stringify(comparable(name, other))) return [];
  if (!isObject(one) || !isObject(other)) return [name];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((inner) => differences(`${name}.${inner}`, one[inner], other[inner]));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, content]) => content !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, content]) => [name, comparable(name, content)]));
}

/** A request that names the order to refund in other capitals is the same. */
function comparable(name: string, content: unknown): unknown {
  return name === 'service_id' && typeof content === 'string' ? identifierKey(content) : sorted(content);
}
