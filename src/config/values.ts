import { isIP } from 'node:net';
import { z } from 'zod';
import { maxPollScale } from '../domain/cadence.js';
import { KeyRingError, parseKeyRing } from '../temporal/key-ring.js';
import type { KeyRing } from '../temporal/key-ring.js';

const apiScopes = ['oms', 'operator', 'codec'] as const;

/** What a key may do: start payments and command its own, decide about all of them, or decode payloads. */
export type ApiScope = (typeof apiScopes)[number];

/** A caller of the gateway: `name` shows in the timelines of payments, `key` proves it. */
export type ApiKey = { readonly name: string; readonly key: string; readonly scopes: readonly ApiScope[] };

const API_KEY = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63}):([^\s,:]+)((?::[a-z]+)*)$/;
/** Beyond any guessing, whatever the alphabet: 24 hexadecimal characters are 96 bits. */
const apiKeyLength = { least: 24, most: 512 };
/** A key that was made by chance has more, but for one in a hundred thousand. */
const fewestCharacters = 8;
/** Of 24 bytes or more that chance has made, fewer differ once in a million billions. */
const fewestBytes = 8;

/** Whether a host is this machine and nothing else. */
export function isLoopback(url: string): boolean {
  const { hostname, username, password } = new URL(url);
  // What stands before an @ is no host to this program, and may be one to another.
  if (username !== '' || password !== '') return false;
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** An address without a trailing slash: https, or http to this machine. */
export const serviceUrl = z.string().transform((text, context) => {
  const url = URL.canParse(text) ? new URL(text) : null;
  const fault =
    url === null
      ? 'is not an address. Write it whole, like https://payments.example.com.'
      : url.username !== '' || url.password !== '' || /[?#]/.test(text)
        ? 'must be scheme, host, port and path alone: no user, password, ? or #.'
        : url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.href))
          ? 'must be https, for payments pass through it; http is for this machine alone (localhost, 127.0.0.1).'
          : null;
  // As a URL is read, so that whoever is given it and whoever tries it go to the same place.
  return url !== null && fault === null ? url.href.replace(/\/+$/, '') : refuse(context, fault ?? '');
});

/** By the name `localhost` Fastify would open a second server for ::1, one without the bounds on connections. */
export const gatewayHost = z
  .string()
  .transform((host) => (host === 'localhost' ? '127.0.0.1' : host.replace(/^\[(.*)\]$/, '$1')))
  .refine((host) => isIP(host) !== 0, {
    error:
      'is not an address of this machine. Write an IP address: 0.0.0.0 or :: for all of them, 127.0.0.1 for this machine alone.',
  });

export const port = z
  .string()
  .refine((text) => !text.startsWith('tcp://'), {
    error:
      'was set by Kubernetes for a Service of that name. Set enableServiceLinks: false for the pod, or give the Service another name.',
    abort: true,
  })
  .regex(/^\d{1,5}$/, { error: 'is not a port. Write a number from 1 to 65535.', abort: true })
  .transform(Number)
  .refine((value) => value >= 1 && value <= 65_535, {
    error: 'is not a port. Write a number from 1 to 65535.',
  });

export const pollScale = z
  .string()
  .transform(Number)
  .refine((value) => value > 0 && value <= maxPollScale, {
    error: `is not a factor. Write a number above 0 and up to ${String(maxPollScale)}: 0.01 makes every wait a hundredth.`,
  });

export const trueOrFalse = z
  .enum(['true', 'false'], { error: 'is neither true nor false.' })
  .transform((text) => text === 'true');

/** Which payouts wait for a complete scan of the service's list before they are sent. */
export const scanBeforeSend = z.enum(['when_old', 'always'], {
  error: 'is neither when_old nor always.',
});

/** What follows a 429 to the creation of what no list shows. */
export const ordersAfter429 = z.enum(['send_again', 'unknown'], {
  error: 'is neither send_again nor unknown.',
});

/** How many calls a second; whole numbers and fractions. */
export const callsPerSecond = z
  .string()
  .transform(Number)
  .refine((value) => value >= 0.1 && value <= 10_000, {
    error: 'is not a rate. Write a number from 0.1 to 10000: 50 is fifty calls a second.',
  });

export const workerVersioning = z.enum(['off', 'pinned', 'auto_upgrade'], {
  error: 'is neither off, pinned nor auto_upgrade.',
});

export const logLevel = z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
  error: 'is not a level. Write fatal, error, warn, info, debug, trace or silent.',
});

/** Exact origins, such as `https://temporal.example.com`: what a browser sends as `Origin`. */
export const origins = z.string().transform((text, context): readonly string[] => {
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  for (const [index, entry] of entries.entries()) {
    if (!URL.canParse(entry) || new URL(entry).origin !== entry || !/^https?:/.test(entry)) {
      return refuse(
        context,
        `can't be used: entry ${String(index + 1)} is not an origin. Write scheme, host and port alone, in lower ` +
          'case and without a slash at the end, like https://temporal.example.com.',
      );
    }
  }
  return entries;
});

export const keyRing = z.string().transform(toKeyRing);

/** As {@link keyRing}, or `none`. */
export const payloadKeys = z
  .string()
  .transform((text, context): KeyRing | 'none' => (text === 'none' ? text : toKeyRing(text, context)));

/** Names as `API_KEYS` has them. */
export const nexusCallers = z.string().transform((text, context): readonly string[] => {
  const names = text.split(/[\s,]+/).filter((entry) => entry !== '');
  const wrong = names.findIndex((name) => !/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name));
  if (wrong >= 0)
    return refuse(context, `can't be used: entry ${String(wrong + 1)} is not a name as API_KEYS has it.`);
  return [...new Set(names)];
});

export const apiKeys = z.string().transform((text, context): readonly ApiKey[] => {
  const keys: ApiKey[] = [];
  const entries = text.split(/[\s,]+/).filter((entry) => entry !== '');
  for (const [index, entry] of entries.entries()) {
    const [, name, key, suffix = ''] = API_KEY.exec(entry) ?? [];
    const scopes = scopesOf(suffix);
    const position = `entry ${String(index + 1)}`;
    if (name === undefined || key === undefined || scopes === undefined) {
      return refuse(
        context,
        `can't be used: ${position} is not name:key:scope. Write :oms behind the key of a shop, which sees and retries its own ` +
          'payments alone, :operator behind that of who decides about all, :codec behind that of a Web UI; scopes are ' +
          `${apiScopes.join(', ')}.`,
      );
    }
    if (key.length < apiKeyLength.least || key.length > apiKeyLength.most) {
      return refuse(
        context,
        `can't be used: the key of ${position} must have ${String(apiKeyLength.least)} to ` +
          `${String(apiKeyLength.most)} characters; this makes one: openssl rand -hex 24.`,
      );
    }
    if (new Set(key).size < fewestCharacters) {
      return refuse(
        context,
        `can't be used: the key of ${position} repeats a few characters, and can be guessed; this makes one: ` +
          'openssl rand -hex 24.',
      );
    }
    if (keys.some((other) => other.key === key)) {
      return refuse(context, `can't be used: ${position} repeats the key of another.`);
    }
    // A name may have its old and its new key, while callers change over.
    if (keys.some((other) => other.name === name && other.scopes.join() !== scopes.join())) {
      return refuse(context, `can't be used: ${position} gives a name another scope than before.`);
    }
    keys.push({ name, key, scopes });
  }
  return keys.length > 0
    ? keys
    : refuse(context, 'holds no key. Write name:key:scope, several separated by commas.');
});

/** Whether bytes repeat a few values, such as zero alone, as none do that chance has made. */
export function repeatsFew(bytes: Uint8Array): boolean {
  return new Set(bytes).size < fewestBytes;
}

function toKeyRing(text: string, context: z.RefinementCtx): KeyRing {
  try {
    const ring = parseKeyRing(text);
    for (const { id, bytes } of ring.byId.values())
      if (repeatsFew(bytes))
        throw new KeyRingError(`the key "${id}" repeats a few bytes, and can be guessed`);
    return ring;
  } catch (error) {
    if (!(error instanceof KeyRingError)) throw error;
    return refuse(
      context,
      `can't be used: ${error.message}. Write id:base64 of 32 bytes, several separated by commas; ` +
        'this makes one: echo "k1:$(openssl rand -base64 32)".',
    );
  }
}

/** Those named, in one order however they are written; undefined when there is none, or one that is no scope. */
function scopesOf(suffix: string): readonly ApiScope[] | undefined {
  const names = suffix.split(':').slice(1);
  if (names.length === 0) return undefined;
  const scopes = apiScopes.filter((scope) => names.includes(scope));
  return names.every((name) => scopes.some((scope) => scope === name)) ? scopes : undefined;
}

function refuse(context: z.RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
}
