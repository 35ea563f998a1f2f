import { beginningWithoutPans, withoutLongDigits } from '../domain/cards.js';
import { printable } from '../domain/plain-text.js';
import { hideExact, type Secrets } from './secrets.js';

const maxLength = 500;
/** More of a page is not looked at for words. */
const maxRead = 65_536;
/** No more of the words is searched for card numbers: what is hidden makes them shorter. */
const maxSearched = 8 * maxLength;
const maxDepth = 6;

/** What a refusal says in whatever place and depth, names included: by that it is told whether such a payment exists. */
export function everythingIn(body: string): string {
  const json = jsonOf(body);
  if (json !== undefined) return JSON.stringify(json);
  return pageWords(body, body.length).replaceAll(/&([a-z])acute;/gi, '$1');
}

/**
 * The words of a body of whatever shape (the document shows none): JSON as `field: value`, a page without its markup. Bounded,
 * on one line, and without what was sent in secret; undefined when there are none.
 */
export function serviceWords(body: string, secrets: Secrets): string | undefined {
  const json = jsonOf(body);
  return json === undefined ? bounded(pageWords(body), secrets) : wordsOfJson(json, secrets);
}

/** The same of JSON that is parsed. */
export function wordsOfJson(json: unknown, secrets: Secrets): string | undefined {
  return bounded(jsonWords(json), secrets);
}

function bounded(all: string, secrets: Secrets): string | undefined {
  const said = hideExact(oneLine(all.slice(0, maxRead)), secrets);
  const words = oneLine(beginningWithoutPans(said, maxSearched, withoutLongDigits));
  if (words === '') return undefined;
  return words.length > maxLength ? `${words.slice(0, maxLength - 1)}…` : words;
}

/** Undefined when it is no JSON. */
function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function jsonWords(json: unknown): string {
  const words: string[] = [];
  let length = 0;
  for (const leaf of leaves(json, '', 0)) {
    words.push(leaf);
    length += leaf.length;
    if (length > maxRead) break;
  }
  return words.join('; ');
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
function pageWords(body: string, most = maxRead): string {
  const [words = '', ...tagged] = body.slice(0, most).split('<');
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
