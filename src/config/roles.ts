import { z } from 'zod';
import { notifyTargetsFrom } from './notify-targets.js';
import {
  embeddedTemporalMovesNoRealMoney,
  foreignTemporalNeedsPayloadKeys,
  notifiedTargetsAreKnown,
  notifiedTargetsHaveSecrets,
  notifiedTargetsNameTheirKeys,
  pollScaleIsForTrials,
  realServiceNeedsCredentials,
  temporalOrEmbedded,
  temporalTarget,
} from './safety-rules.js';
import { secretsHaveOnePurpose } from './one-purpose.js';
import type { Configs, PaymentsServiceConfig, ServingConfig } from './settings.js';
import type { TemporalTarget } from '../temporal/connection.js';
import { tracesWanted } from './traces.js';
import { variableNames, variables } from './variables.js';
import type { VariableName } from './variables.js';

/** What a process is. */
const roles = ['start', 'worker', 'gateway', 'sandbox', 'cli'] as const satisfies readonly (keyof Configs)[];
export type Role = (typeof roles)[number];

const { PAYMENTS_BASE_URL, PAYMENTS_CLIENT_ID, PAYMENTS_CLIENT_SECRET } = variables.shape;
const { LOG_LEVEL, DATA_DIR, PAYMENTS_TASK_QUEUE, PUBLIC_URL, GATEWAY_HOST, GATEWAY_PORT } = variables.shape;
const { POSTBACK_KEYS, PAYLOAD_KEYS, API_KEYS, POLL_SCALE, SCAN_BEFORE_SEND, CREATING_CALLS_PER_SECOND } =
  variables.shape;
const { NOTIFY_TARGETS, NOTIFY_SECRETS, NOTIFY_PRIVATE_TARGETS, NOTIFY_WORKFLOWS } = variables.shape;
const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_PROFILE, TEMPORAL_API_KEY } = variables.shape;
const { NEXUS_CALLERS, ORDERS_AFTER_429 } = variables.shape;
const { METRICS_HOST, METRICS_PORT, WORKER_VERSIONING } = variables.shape;
const { TEMPORAL_PLAINTEXT, TEMPORAL_UI_PORT, TEMPORAL_UI_ORIGINS } = variables.shape;

const connected = z.object({
  ...{ LOG_LEVEL, PAYMENTS_TASK_QUEUE, PAYLOAD_KEYS, NOTIFY_WORKFLOWS },
  ...{ TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE, TEMPORAL_PROFILE, TEMPORAL_API_KEY, TEMPORAL_PLAINTEXT },
});
const serving = connected.extend({
  ...{ PAYMENTS_BASE_URL, PAYMENTS_CLIENT_ID, PAYMENTS_CLIENT_SECRET, PUBLIC_URL, POSTBACK_KEYS },
  ...{ NOTIFY_TARGETS, NOTIFY_SECRETS, NOTIFY_PRIVATE_TARGETS, ORDERS_AFTER_429 },
});
const listening = serving.extend({ GATEWAY_HOST, GATEWAY_PORT, API_KEYS, POLL_SCALE });

/** The variables that a process reads. What `start` and the command line can find themselves is optional there. */
const variablesOf = {
  start: listening
    .extend({ DATA_DIR, TEMPORAL_UI_PORT, SCAN_BEFORE_SEND, CREATING_CALLS_PER_SECOND, NEXUS_CALLERS })
    .partial({
      ...{
        PAYMENTS_BASE_URL: true,
        PAYMENTS_CLIENT_ID: true,
        PAYMENTS_CLIENT_SECRET: true,
        PUBLIC_URL: true,
      },
      ...{ POSTBACK_KEYS: true, PAYLOAD_KEYS: true, API_KEYS: true, TEMPORAL_UI_PORT: true },
    }),
  worker: serving.extend({
    ...{
      SCAN_BEFORE_SEND,
      CREATING_CALLS_PER_SECOND,
      WORKER_VERSIONING,
      METRICS_HOST,
      METRICS_PORT,
      NEXUS_CALLERS,
    },
  }),
  gateway: listening.extend({ TEMPORAL_UI_ORIGINS }),
  sandbox: z.object({ LOG_LEVEL }),
  cli: connected.extend({ DATA_DIR }).partial({ PAYLOAD_KEYS: true }),
} satisfies Record<Role, z.ZodObject>;

const rulesOfServing = [secretsHaveOnePurpose, notifiedTargetsAreKnown];

export const rules: Readonly<Record<Role, readonly z.ZodType[]>> = {
  start: [
    ...[foreignTemporalNeedsPayloadKeys, realServiceNeedsCredentials, embeddedTemporalMovesNoRealMoney],
    ...[pollScaleIsForTrials, notifiedTargetsHaveSecrets, notifiedTargetsNameTheirKeys, ...rulesOfServing],
  ],
  worker: [notifiedTargetsHaveSecrets, notifiedTargetsNameTheirKeys, ...rulesOfServing],
  gateway: [pollScaleIsForTrials, notifiedTargetsNameTheirKeys, ...rulesOfServing],
  sandbox: [],
  cli: [secretsHaveOnePurpose],
};

/** The variables that a process of this role reads. */
export function variableNamesOf(role: Role): readonly VariableName[] {
  return variableNames.filter((name) => name in variablesOf[role].shape);
}

/** The roles whose processes read this variable. */
export function readersOf(name: VariableName): readonly Role[] {
  return roles.filter((role) => name in variablesOf[role].shape);
}

/** What a process of each role is configured with, of its variables and of Temporal's. */
export const schemas: { readonly [R in Role]: z.ZodType<Configs[R]> } = {
  start: z
    .object({ variables: variablesOf.start, temporal: temporalOrEmbedded, traces: tracesWanted })
    .transform(({ variables: values, temporal, traces }) => ({
      ...common(values),
      ...listener(values),
      temporal,
      traces,
      dataDir: values.DATA_DIR,
      uiPort: values.TEMPORAL_UI_PORT ?? null,
      payments: paymentsService(values) ?? 'sandbox',
      publicUrl: values.PUBLIC_URL ?? `http://127.0.0.1:${String(values.GATEWAY_PORT)}`,
      postbackKeys: values.POSTBACK_KEYS ?? null,
      payloadKeys: values.PAYLOAD_KEYS ?? null,
      apiKeys: values.API_KEYS ?? null,
      notifyTargets: notifyTargetsFrom(values),
      ordersAfter429: values.ORDERS_AFTER_429,
      scanBeforeSend: values.SCAN_BEFORE_SEND,
      creatingCallsPerSecond: values.CREATING_CALLS_PER_SECOND ?? null,
      nexusCallers: values.NEXUS_CALLERS,
    })),
  worker: z
    .object({ variables: variablesOf.worker, temporal: temporalTarget, traces: tracesWanted })
    .transform(({ variables: values, temporal, traces }) => ({
      ...servingConfig(values, temporal, traces),
      scanBeforeSend: values.SCAN_BEFORE_SEND,
      creatingCallsPerSecond: values.CREATING_CALLS_PER_SECOND ?? null,
      versioning: values.WORKER_VERSIONING,
      nexusCallers: values.NEXUS_CALLERS,
      metrics:
        values.METRICS_PORT === undefined ? null : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    })),
  gateway: z
    .object({ variables: variablesOf.gateway, temporal: temporalTarget, traces: tracesWanted })
    .transform(({ variables: values, temporal, traces }) => ({
      ...servingConfig(values, temporal, traces),
      ...listener(values),
      apiKeys: values.API_KEYS,
      uiOrigins: values.TEMPORAL_UI_ORIGINS,
    })),
  sandbox: z
    .object({ variables: variablesOf.sandbox })
    .transform(({ variables: values }) => ({ logLevel: values.LOG_LEVEL })),
  cli: z
    .object({ variables: variablesOf.cli, temporal: temporalOrEmbedded })
    .transform(({ variables: values, temporal }) => ({
      ...common(values),
      temporal,
      dataDir: values.DATA_DIR,
      payloadKeys: values.PAYLOAD_KEYS ?? null,
    })),
};

function common(
  values: Pick<z.output<typeof connected>, 'LOG_LEVEL' | 'PAYMENTS_TASK_QUEUE' | 'NOTIFY_WORKFLOWS'>,
) {
  return {
    logLevel: values.LOG_LEVEL,
    taskQueue: values.PAYMENTS_TASK_QUEUE,
    notifyWorkflows: values.NOTIFY_WORKFLOWS,
  };
}

function servingConfig(
  values: z.output<typeof serving>,
  temporal: TemporalTarget,
  traces: boolean,
): ServingConfig {
  return {
    ...common(values),
    temporal,
    traces,
    payments: {
      baseUrl: values.PAYMENTS_BASE_URL,
      clientId: values.PAYMENTS_CLIENT_ID,
      clientSecret: values.PAYMENTS_CLIENT_SECRET,
    },
    publicUrl: values.PUBLIC_URL,
    postbackKeys: values.POSTBACK_KEYS,
    payloadKeys: values.PAYLOAD_KEYS,
    notifyTargets: notifyTargetsFrom(values),
    ordersAfter429: values.ORDERS_AFTER_429,
  };
}

function listener(values: Pick<z.output<typeof listening>, 'GATEWAY_HOST' | 'GATEWAY_PORT' | 'POLL_SCALE'>) {
  return { host: values.GATEWAY_HOST, port: values.GATEWAY_PORT, pollScale: values.POLL_SCALE };
}

/** Null without an address: then there is a sandbox. */
function paymentsService(values: z.output<typeof variablesOf.start>): PaymentsServiceConfig | null {
  const { PAYMENTS_BASE_URL: baseUrl, PAYMENTS_CLIENT_ID: clientId } = values;
  const { PAYMENTS_CLIENT_SECRET: clientSecret } = values;
  if (baseUrl === undefined || clientId === undefined || clientSecret === undefined) return null;
  return { baseUrl, clientId, clientSecret };
}
