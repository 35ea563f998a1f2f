import { asRecord, parsedJson } from './records.js';

const identifier = /^[\w.:-]{1,128}$/;
const maxIdentifiers = 20;
const maxDepth = 4;

/**
 * All identifiers that a postback's body may name: the values of fields called `id` or ending in `id`, at any of its
 * first levels. Hints to follow, never proof.
 */
export function identifiersIn(body: string): string[] {
  const found = new Set<string>();
  collect(parsedJson(body), 0, found);
  return [...found].slice(0, maxIdentifiers);
}

function collect(value: unknown, depth: number, found: Set<string>): void {
  if (depth > maxDepth || found.size >= maxIdentifiers) return;
  for (const [name, content] of Object.entries(asRecord(value))) {
    if (/(^|_|[a-z])id$/i.test(name)) {
      if (typeof content === 'string' && identifier.test(content)) found.add(content);
      else if (Number.isSafeInteger(content)) found.add(String(content));
    }
    collect(content, depth + 1, found);
  }
}
