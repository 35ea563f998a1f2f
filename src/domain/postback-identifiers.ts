import { asRecord, parsedJson } from './records.js';
import { serviceIdPattern } from './service-ids.js';

/** So much of a postback is kept, in characters. */
export const longestPostback = 4_096;

/** Names of fields that hold one, and of those that hold the address of what a postback is about. */
const namesOne = /(^|[_-]|[a-z])id$/i;
const namesAddress = /(^|_)(resource|href|url|link)$/i;
const maxIdentifiers = 20;
const maxDepth = 4;

/** `"id": 7`, `<order_id>7</order_id>`, `id="7"`, `name="id"` with its value two lines below, and `order[id]=7`. */
const forms = [
  /"([\w-]{1,64})"\s{0,8}:\s{0,8}"?([\w.:/-]{1,512})/g,
  /<(?:[\w.-]{1,64}:)?([\w.-]{1,64})(?:\s[^<>]{0,256})?>\s{0,64}([^<>\s]{1,512})\s{0,64}</g,
  /(?<![\w-])([\w-]{1,64})=["']([^"'<>]{1,512})["']/g,
  /(?<![\w-])name="([\w.[\]-]{1,64})"[^\r\n]{0,256}\r?\n(?:[^\r\n]{1,256}\r?\n){0,4}\r?\n([^\r\n]{1,512})/g,
  /(?<![\w.%[\]-])([\w.%[\]-]{1,64})=([^&\s"'<>]{1,512})/g,
];

/**
 * All identifiers that a postback may name, whether it is JSON, a form, a query, multipart or XML: the values of fields
 * called `id` or ending in `id`, and the ends of addresses of a `resource`. Hints to follow, never proof.
 */
export function identifiersIn(body: string): string[] {
  const found = new Set<string>();
  const json = parsedJson(body);
  if (typeof json === 'object') collect(json, 0, found);
  else
    for (const form of forms)
      for (const [, name = '', value = ''] of body.matchAll(form))
        add(decodeForm(name).replace(/\]$/, '').split(/[.[]/).at(-1) ?? '', decodeForm(value).trim(), found);
  return [...found].slice(0, maxIdentifiers);
}

function collect(value: unknown, depth: number, found: Set<string>): void {
  if (depth > maxDepth || found.size >= maxIdentifiers) return;
  for (const [name, content] of Object.entries(asRecord(value))) {
    if (typeof content === 'string') add(name, content, found);
    else if (Number.isSafeInteger(content)) add(name, String(content), found);
    collect(content, depth + 1, found);
  }
}

function add(name: string, value: string, found: Set<string>): void {
  if (namesOne.test(name) && serviceIdPattern.test(value)) found.add(value);
  if (!namesAddress.test(name)) return;
  const [path = ''] = value.split(/[?#]/, 1);
  const end = path.replace(/\/$/, '').split('/').at(-1) ?? '';
  // The last part of an address may as well be a word.
  if (path.includes('/') && /\d/.test(end) && serviceIdPattern.test(end)) found.add(end);
}

/** As a form writes it. */
function decodeForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
