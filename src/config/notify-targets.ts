import { z } from 'zod';
import { isReservedWorkflowId } from '../domain/notify-targets.js';
import type { NotifyTarget } from '../domain/notify-targets.js';
import { serviceUrl } from './values.js';

type Named = { readonly name: string; readonly value: string };

const ENTRY = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})=(.+)$/;
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** A secret by the Standard Webhooks specification has 24 to 64 bytes. */
const secretBytes = { least: 24, most: 64 };

/** `name=url`, several with commas or blanks between them. */
export const notifyTargets = namedEntries('name=url', 'once').transform((entries, context) =>
  entries.map(({ name, value }) => {
    const url = serviceUrl.safeParse(value.split('?')[0]);
    if (url.success && URL.canParse(value)) return { name, value: new URL(value).href };
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
    const { length } = Buffer.from(base64, 'base64');
    if (length < secretBytes.least || length > secretBytes.most) {
      refuse(
        context,
        `can't be used: a secret of ${name} is not whsec_ and base64 of 24 to 64 bytes; ` +
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

/** What the ids of workflows begin with, with commas or blanks between them. */
export const notifyWorkflows = z.string().transform((text, context): readonly string[] => {
  const prefixes = text.split(/[\s,]+/).filter((prefix) => prefix !== '');
  for (const [index, prefix] of prefixes.entries()) {
    if (!isReservedWorkflowId(prefix)) continue;
    return refuse(
      context,
      `can't be used: entry ${String(index + 1)} is how ids of payments or of Temporal itself begin, which are never ` +
        'signalled. Write how the ids of your own workflows begin.',
    );
  }
  return prefixes;
});

type Values = {
  readonly NOTIFY_TARGETS: readonly Named[];
  readonly NOTIFY_SECRETS: readonly Named[];
  readonly NOTIFY_PRIVATE_TARGETS: readonly string[];
};

/** The webhooks with all that belongs to each. */
export function notifyTargetsFrom(values: Values): readonly NotifyTarget[] {
  return values.NOTIFY_TARGETS.map(({ name, value: url }) => ({
    name,
    url,
    secrets: values.NOTIFY_SECRETS.filter((secret) => secret.name === name).map(({ value }) => value),
    mayBePrivate: values.NOTIFY_PRIVATE_TARGETS.includes(name),
  }));
}

function namedEntries(form: string, names: 'once' | 'repeatedly') {
  return z.string().transform((text, context): readonly Named[] => {
    const entries: Named[] = [];
    const parts = text.split(/[\s,]+/).filter((part) => part !== '');
    for (const [index, part] of parts.entries()) {
      const [, name, value] = ENTRY.exec(part) ?? [];
      const position = `entry ${String(index + 1)}`;
      if (name === undefined || value === undefined) {
        return refuse(context, `can't be used: ${position} is not ${form}.`);
      }
      if (names === 'once' && entries.some((other) => other.name === name)) {
        return refuse(context, `can't be used: ${position} repeats the name of another.`);
      }
      entries.push({ name, value });
    }
    return entries;
  });
}

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
