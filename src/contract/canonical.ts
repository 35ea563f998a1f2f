/** Fields of a workflow input that do not make it another request: the card, our own pace, whom to tell, who asked and why. */
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

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, content]) => content !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, content]) => [name, sorted(content)]));
}
