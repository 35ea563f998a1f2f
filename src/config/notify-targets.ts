import { z } from 'zod';
import { isReservedPrefix, isTooShortPrefix } from '../domain/notify-targets.js';
import type { NotifyKeys, NotifyTarget, NotifyWorkflows } from '../domain/notify-targets.js';
import { repeatsFew, serviceUrl } from './values.js';

/** `keys` is undefined where none are written, null for `*`. */
type Named = { readonly name: string; readonly value: string; readonly keys?: NotifyKeys | undefined };

const ENTRY = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})(?:@([^=]*))?=(.+)$/;
const KEY_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** A secret by the Standard Webhooks specification has 24 to 64 bytes. */
const secretBytes = { least: 24, most: 64 };

/**
 * `name@key+key=url`, several with commas or blanks between them: only payments of these API keys may notify it, of all
 * with `*` or without `@`.
 */
export const notifyTargets = namedEntries('name=url or name@key=url', 'once').transform((entries, context) =>
  entries.map(({ name, value, keys }) => {
    const url = serviceUrl.safeParse(value.split('?')[0]);
    if (url.success && URL.canParse(value)) return { name, value: new URL(value).href, keys };
    return refuse(
      context,
      `can't be used: ${name} must be https and a whole address (http on this machine).`,
    );
  }),
);

/** `name=whsec_…`; more than one of a name each signs. */
export const notifySecrets = namedEntries('name=whsec_…', 'repeatedly').transform((entries, context) => {
  for (const { name, value } of entries) {
    const [, base64 = ''] = SECRET.exec(value) ?? [];
    const bytes = Buffer.from(base64, 'base64');
    if (bytes.length < secretBytes.least || bytes.length > secretBytes.most || repeatsFew(bytes)) {
      refuse(
        context,
        `can't be used: a secret of ${name} is not whsec_ and base64 of 24 to 64 bytes that chance has made; ` +
          'this makes one: echo "whsec_$(openssl rand -base64 32)".',
      );
    }
  }
  return entries;
});

/** Names of targets, with commas or blanks between them. */
export const notifyPrivateTargets = z
  .string()
  .transform((text): readonly string[] => text.split(/[\s,]+/).filter((name) => name !== ''));

/**
 * What the ids of workflows begin with, with commas or blanks between them; as `prefix@key+key` only payments of these
 * API keys may signal them.
 */
export const notifyWorkflows = z.string().transform((text, context): readonly NotifyWorkflows[] => {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  return entries.map((entry, index) => {
    const position = `entry ${String(index + 1)}`;
    const at = entry.lastIndexOf('@');
    const prefix = at < 0 ? entry : entry.slice(0, at);
    const keys = at < 0 ? undefined : keysOf(entry.slice(at + 1));
    if (at === 0 || keys === 'unusable')
      return refuse(
        context,
        `can't be used: ${position} is not prefix or prefix@key, with names of API_KEYS or *.`,
      );
    if (isTooShortPrefix(prefix)) {
      return refuse(
        context,
        `can't be used: ${position} is one character, with which workflows of others begin too. Write how the ids of ` +
          'your own workflows begin.',
      );
    }
    if (isReservedPrefix(prefix)) {
      return refuse(
        context,
        `can't be used: ${position} is how ids of payments or of Temporal itself begin, or the beginning of that; ` +
          'they are never signalled. Write how the ids of your own workflows begin.',
      );
    }
    return keys === undefined ? prefix : { prefix, keys };
  });
});

/** `key+key`, or `*` for all of them. */
function keysOf(text: string): NotifyKeys | 'unusable' {
  if (text === '*') return null;
  const keys = text.split('+');
  return keys.every((key) => KEY_NAME.test(key)) ? keys : 'unusable';
}

type Values = {
  readonly NOTIFY_TARGETS: readonly Named[];
  readonly NOTIFY_SECRETS: readonly Named[];
  readonly NOTIFY_PRIVATE_TARGETS: readonly string[];
};

/** The webhooks with all that belongs to each. */
export function notifyTargetsFrom(values: Values): readonly NotifyTarget[] {
  return values.NOTIFY_TARGETS.map(({ name, value: url, keys = null }) => ({
    name,
    url,
    keys,
    secrets: values.NOTIFY_SECRETS.filter((secret) => secret.name === name).map(({ value }) => value),
    mayBePrivate: values.NOTIFY_PRIVATE_TARGETS.includes(name),
  }));
}

function namedEntries(form: string, names: 'once' | 'repeatedly') {
  return z.string().transform((text, context): readonly Named[] => {
    const entries: Named[] = [];
    const parts = text.split(/[\s,]+/).filter((part) => part !== '');
    for (const [index, part] of parts.entries()) {
      const [, name, keyNames, value] = ENTRY.exec(part) ?? [];
      const keys = keyNames === undefined ? undefined : keysOf(keyNames);
      const position = `entry ${String(index + 1)}`;
      if (part.includes(';'))
        return refuse(context, `can't be used: ${position} has a ; in it. Separate entries by commas.`);
      if (name === undefined || value === undefined || keys === 'unusable') {
        return refuse(context, `can't be used: ${position} is not ${form}.`);
      }
      if (names === 'once' && entries.some((other) => other.name === name)) {
        return refuse(context, `can't be used: ${position} repeats the name of another.`);
      }
      entries.push({ name, value, keys });
    }
    return entries;
  });
}

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
