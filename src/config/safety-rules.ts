import { z } from 'zod';
import { temporalTargetFrom } from '../temporal/connection.js';
import type { TemporalTarget } from '../temporal/connection.js';
import { notifyTargets, notifyWorkflows } from './notify-targets.js';
import { apiKeys, isLoopback, nexusCallers } from './values.js';
import { notSet } from './faults.js';

/*
 * What must fit together. Each rule is a schema of its own over the text of the variables that it is about, so that it
 * is checked, and reported, also when others are wrong. An issue without a path is a whole sentence.
 */

const text = z.string().optional();
/** Whoever reaches the development server's ports starts payments: no real money may depend on it. */
export const embeddedTemporalMovesNoRealMoney = z
  .object({ PAYMENTS_BASE_URL: text, TEMPORAL_ADDRESS: text, TEMPORAL_PROFILE: text })
  .refine(
    (env) =>
      namesTemporal(env) ||
      !URL.canParse(env.PAYMENTS_BASE_URL ?? '') ||
      isOnLoopback(env.PAYMENTS_BASE_URL ?? ''),
    'PAYMENTS_BASE_URL is not on this machine, but TEMPORAL_ADDRESS is not set: the embedded Temporal is for ' +
      'development and moves no real money. Set TEMPORAL_ADDRESS to a Temporal of your own.',
  );

/** Everything that is stored in a Temporal of someone else is encrypted, unless `none` is written. */
export const foreignTemporalNeedsPayloadKeys = z
  .object({ PAYLOAD_KEYS: text, TEMPORAL_ADDRESS: text, TEMPORAL_PROFILE: text })
  .refine((env) => !namesTemporal(env) || env.PAYLOAD_KEYS !== undefined, notSet('PAYLOAD_KEYS'));

export const realServiceNeedsCredentials = z
  .object({ PAYMENTS_BASE_URL: text, PAYMENTS_CLIENT_ID: text, PAYMENTS_CLIENT_SECRET: text })
  .superRefine((env, context) => {
    if (env.PAYMENTS_BASE_URL === undefined) return;
    for (const name of ['PAYMENTS_CLIENT_ID', 'PAYMENTS_CLIENT_SECRET'] as const)
      if (env[name] === undefined) context.addIssue(notSet(name));
  });

/** Other waiting times than the usual ones are for trials. */
export const pollScaleIsForTrials = z
  .object({ POLL_SCALE: text, PAYMENTS_BASE_URL: text })
  .refine(
    ({ POLL_SCALE: scale, PAYMENTS_BASE_URL: baseUrl }) =>
      Number(scale ?? 1) === 1 || baseUrl === undefined || isOnLoopback(baseUrl),
    'POLL_SCALE must be 1 unless PAYMENTS_BASE_URL is on this machine: it would flood or starve a real service.',
  );

const names = z
  .string()
  .prefault('')
  .transform((list) =>
    list
      .split(/[\s,]+/)
      .flatMap((entry) => entry.split(/[@=]/)[0] ?? [])
      .filter((name) => name !== ''),
  );
const notificationNames = z.object({
  NOTIFY_TARGETS: names,
  NOTIFY_SECRETS: names,
  NOTIFY_PRIVATE_TARGETS: names,
});

export const notifiedTargetsAreKnown = notificationNames.superRefine((env, context) => {
  for (const name of [...env.NOTIFY_SECRETS, ...env.NOTIFY_PRIVATE_TARGETS])
    if (!env.NOTIFY_TARGETS.includes(name))
      context.addIssue(
        `NOTIFY_TARGETS has no ${name}, which NOTIFY_SECRETS or NOTIFY_PRIVATE_TARGETS names.`,
      );
});

/** For a process that delivers. */
export const notifiedTargetsHaveSecrets = notificationNames.superRefine((env, context) => {
  for (const name of env.NOTIFY_TARGETS)
    if (!env.NOTIFY_SECRETS.includes(name))
      context.addIssue(`NOTIFY_SECRETS has no secret for ${name} of NOTIFY_TARGETS. Add ${name}=whsec_….`);
});

/**
 * Where several start payments, by keys or by Nexus, whose a webhook or a prefix is has to be written. A process that
 * knows no keys serves beside one that has some.
 */
export const notifiedTargetsNameTheirKeys = z
  .object({
    API_KEYS: apiKeys.optional().catch([]),
    NEXUS_CALLERS: nexusCallers.catch([]).prefault(''),
    NOTIFY_TARGETS: notifyTargets.catch([]).prefault(''),
    NOTIFY_WORKFLOWS: notifyWorkflows.catch([]).prefault(''),
  })
  .superRefine(({ API_KEYS, NEXUS_CALLERS, NOTIFY_TARGETS, NOTIFY_WORKFLOWS }, context) => {
    const keys = API_KEYS?.filter(({ scopes }) => scopes.includes('oms')).map(({ name }) => name) ?? [];
    const callers = new Set([...keys, ...NEXUS_CALLERS]);
    const isElsewhere = API_KEYS === undefined && callers.size > 0;
    if (callers.size < 2 && !isElsewhere) return;
    const unowned = [
      ...NOTIFY_TARGETS.filter(({ keys }) => keys === undefined).map(({ name }) => ['NOTIFY_TARGETS', name]),
      ...NOTIFY_WORKFLOWS.filter((entry) => typeof entry === 'string').map((entry) => [
        'NOTIFY_WORKFLOWS',
        entry,
      ]),
    ];
    for (const [variable = '', name = ''] of unowned)
      context.addIssue(
        `${variable} does not say whose ${name} is, and API_KEYS and NEXUS_CALLERS let several start payments. ` +
          `Write ${name}@ and the names of its keys with + between them, or ${name}@* for all.`,
      );
  });

const texts = z.record(z.string(), z.string());

/** Temporal, by its own variables and configuration file. */
export const temporalTarget = texts.transform(readTemporalTarget);

/** As {@link temporalTarget}; the embedded one where none is named. */
export const temporalOrEmbedded = texts.transform((env, context) =>
  namesTemporal(env) ? readTemporalTarget(env, context) : 'embedded',
);

/** Payments, and the API key of Temporal Cloud, must not cross a network in plaintext. */
function readTemporalTarget(env: Readonly<Record<string, string>>, context: z.RefinementCtx): TemporalTarget {
  try {
    const target = temporalTargetFrom(env);
    if (target.connectionOptions.address?.includes('://') === true)
      context.addIssue(
        'The address of Temporal is host and port alone, such as temporal.example.com:7233. Write it without http://.',
      );
    else if (env.TEMPORAL_PLAINTEXT !== 'true' && isPlaintextToElsewhere(target)) {
      context.addIssue(
        `Temporal at ${String(target.connectionOptions.address)} would be reached without TLS. Set TEMPORAL_TLS=true ` +
          "or name certificates by Temporal's own TEMPORAL_TLS_… variables; or, in a network that only payments are " +
          'in, TEMPORAL_PLAINTEXT=true.',
      );
    }
    return target;
  } catch (error) {
    context.addIssue(
      `Temporal's own configuration can't be read: ${error instanceof Error ? error.message : String(error)}`,
    );
    return z.NEVER;
  }
}

/** Whether Temporal is someone else's to run. */
function namesTemporal(env: {
  readonly TEMPORAL_ADDRESS?: string | undefined;
  readonly TEMPORAL_PROFILE?: string | undefined;
}): boolean {
  return env.TEMPORAL_ADDRESS !== undefined || env.TEMPORAL_PROFILE !== undefined;
}

function isPlaintextToElsewhere({ connectionOptions: { address = '', tls } }: TemporalTarget): boolean {
  const encrypted = tls !== undefined && tls !== null && tls !== false;
  return !encrypted && !loopbackAddress.test(address);
}

/** As a whole: what else an address may hold could name another host to whoever connects. */
const loopbackAddress = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/;

function isOnLoopback(url: string): boolean {
  return URL.canParse(url) && isLoopback(url);
}
