import { printable } from '../domain/plain-text.js';
import { hideSecrets, type Secrets } from './secrets.js';

const maxLength = 500;
/** More of a page is not looked at for words. */
const maxRead = 65_536;
const maxDepth = 6;

/**
 * The service's own words in an error body of whatever shape (the document shows none): JSON as `field: value`, a page
 * without its markup. Bounded, and without what was sent in secret. Undefined when there are none.
 */
export function serviceWords(body: string | undefined, secrets: Secrets): string | undefined {
  if (body === undefined) return undefined;
  const words = oneLine(hideSecrets(oneLine(jsonWords(body) ?? pageWords(body)), secrets));
  if (words === '') return undefined;
  return words.length > maxLength ? `${words.slice(0, maxLength - 1)}…` : words;
}

function jsonWords(body: string): string | undefined {
  try {
    return [...leaves(JSON.parse(body), '', 0)].join('; ').slice(0, maxRead);
  } catch {
    return undefined;
  }
}

function* leaves(value: unknown, name: string, depth: number): Generator<string> {
  if (depth > maxDepth || value === null) return;
  if (typeof value === 'object') {
    for (const [key, inner] of Object.entries(value)) {
      yield* leaves(inner, Array.isArray(value) ? name : key, depth + 1);
    }
  } else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    yield name === '' ? String(value) : `${name}: ${String(value)}`;
  }
}

/** In one pass: an unclosed tag must not be looked for again and again. */
function pageWords(body: string): string {
  const [words = '', ...tagged] = body.slice(0, maxRead).split('<');
  const parts = [words];
  let unread: string | undefined;
  for (const part of tagged) {
    const tag = /^\/?(?:script|style)\b/i.exec(part)?.[0].toLowerCase();
    if (unread === undefined && (tag === 'script' || tag === 'style')) unread = `/${tag}`;
    else if (unread !== undefined && unread === tag) unread = undefined;
    if (unread === undefined) parts.push(part.slice(part.indexOf('>') + 1));
  }
  return parts.join(' ');
}

function oneLine(text: string): string {
  return printable(text.replaceAll(/[\s\p{Cc}]+/gu, ' ')).trim();
}
