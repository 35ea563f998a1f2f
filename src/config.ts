import { z } from 'zod';
import { ConfigError } from './config/config-error.js';
import { readEnvironment } from './config/environment.js';
import type { Env, Environment } from './config/environment.js';
import { notifyFaults, notifyTargetsFrom } from './config/notify-targets.js';
import type { Configs, GatewayConfig, PaymentsServiceConfig, StartConfig } from './config/settings.js';
import { embeddedFaults, plaintextFaults, sharedKeyFaults } from './config/safety-faults.js';
import { isLoopback } from './config/values.js';
import { configVariables, schemas } from './config/variables.js';
import type { Role } from './config/variables.js';
import { temporalTargetFrom } from './temporal/connection.js';
import type { TemporalTarget } from './temporal/connection.js';

export { ConfigError, configVariables };
export { loadOrGenerateKeys, readGeneratedKeys } from './config/generated-keys.js';

/** The variables of this process. Nothing else reads them. */
export function processEnvironment(): Env {
  return process.env;
}

/**
 * Reads and checks what a process of that role needs.
 *
 * @throws ConfigError with everything that is wrong, each as a sentence that says what to do.
 */
export function loadConfig<R extends Role>(env: Env, role: R): Configs[R] {
  return loaders[role](readEnvironment(env));
}

const { PAYMENTS_BASE_URL, PAYMENTS_CLIENT_ID, PAYMENTS_CLIENT_SECRET, PUBLIC_URL } = schemas;
const { POSTBACK_KEYS, PAYLOAD_KEYS, API_KEYS, TEMPORAL_UI_PORT, TEMPORAL_UI_ORIGINS } = schemas;
const { LOG_LEVEL, DATA_DIR, PAYMENTS_TASK_QUEUE, GATEWAY_HOST, GATEWAY_PORT, POLL_SCALE } = schemas;

const { NOTIFY_TARGETS, NOTIFY_SECRETS, NOTIFY_PRIVATE_TARGETS, NOTIFY_WORKFLOWS } = schemas;
const { TEMPORAL_PLAINTEXT } = schemas;

const service = z.object({ PAYMENTS_BASE_URL, PAYMENTS_CLIENT_ID, PAYMENTS_CLIENT_SECRET });
const sandbox = z.object({ LOG_LEVEL });
const cli = z.object({
  ...{ LOG_LEVEL, DATA_DIR, PAYMENTS_TASK_QUEUE, NOTIFY_WORKFLOWS, TEMPORAL_PLAINTEXT },
  PAYLOAD_KEYS: PAYLOAD_KEYS.optional(),
});
const worker = service.extend({
  ...{ LOG_LEVEL, PAYMENTS_TASK_QUEUE, PUBLIC_URL, POSTBACK_KEYS, PAYLOAD_KEYS },
  ...{ NOTIFY_TARGETS, NOTIFY_SECRETS, NOTIFY_PRIVATE_TARGETS, NOTIFY_WORKFLOWS, TEMPORAL_PLAINTEXT },
});
const serving = worker.extend({ GATEWAY_HOST, GATEWAY_PORT, API_KEYS, POLL_SCALE });
const gateway = serving.extend({ TEMPORAL_UI_ORIGINS });
const start = serving.extend({
  DATA_DIR,
  ...{ PAYMENTS_BASE_URL: PAYMENTS_BASE_URL.optional(), PUBLIC_URL: PUBLIC_URL.optional() },
  ...{
    PAYMENTS_CLIENT_ID: PAYMENTS_CLIENT_ID.optional(),
    PAYMENTS_CLIENT_SECRET: PAYMENTS_CLIENT_SECRET.optional(),
  },
  ...{ POSTBACK_KEYS: POSTBACK_KEYS.optional(), PAYLOAD_KEYS: PAYLOAD_KEYS.optional() },
  ...{ API_KEYS: API_KEYS.optional(), TEMPORAL_UI_PORT: TEMPORAL_UI_PORT.optional() },
});

const loaders: { readonly [R in Role]: (environment: Environment) => Configs[R] } = {
  sandbox: (environment) => ({ logLevel: checked(environment, sandbox).LOG_LEVEL }),
  cli: (environment) => {
    const values = connected(environment, cli);
    return {
      logLevel: values.LOG_LEVEL,
      dataDir: values.DATA_DIR,
      temporal: namesTemporal(environment) ? target(environment) : 'embedded',
      taskQueue: values.PAYMENTS_TASK_QUEUE,
      payloadKeys: values.PAYLOAD_KEYS ?? null,
      notifyWorkflows: values.NOTIFY_WORKFLOWS,
    };
  },
  worker: (environment) =>
    workerConfig(
      environment,
      connected(environment, worker, notifyFaults(environment.values, { delivers: true })),
    ),
  gateway: (environment) =>
    gatewayConfig(
      environment,
      connected(environment, gateway, [
        ...pollScaleFaults(environment),
        ...notifyFaults(environment.values, { delivers: false }),
      ]),
    ),
  start: startConfig,
};

function workerConfig(environment: Environment, values: z.output<typeof worker>): Configs['worker'] {
  return {
    logLevel: values.LOG_LEVEL,
    temporal: target(environment),
    taskQueue: values.PAYMENTS_TASK_QUEUE,
    payments: paymentsService(values),
    publicUrl: values.PUBLIC_URL,
    postbackKeys: values.POSTBACK_KEYS,
    payloadKeys: values.PAYLOAD_KEYS,
    notifyTargets: notifyTargetsFrom(values),
    notifyWorkflows: values.NOTIFY_WORKFLOWS,
  };
}

function gatewayConfig(environment: Environment, values: z.output<typeof gateway>): GatewayConfig {
  return {
    ...workerConfig(environment, values),
    host: values.GATEWAY_HOST,
    port: values.GATEWAY_PORT,
    apiKeys: values.API_KEYS,
    pollScale: values.POLL_SCALE,
    uiOrigins: values.TEMPORAL_UI_ORIGINS,
  };
}

function startConfig(environment: Environment): StartConfig {
  const remote = namesTemporal(environment);
  const withService = environment.values.PAYMENTS_BASE_URL !== undefined;
  const values = connected(environment, start, [
    ...(remote ? missing(environment, 'PAYLOAD_KEYS') : []),
    ...(withService ? missing(environment, 'PAYMENTS_CLIENT_ID', 'PAYMENTS_CLIENT_SECRET') : []),
    ...(remote ? [] : embeddedFaults(environment)),
    ...pollScaleFaults(environment),
    ...notifyFaults(environment.values, { delivers: true }),
  ]);
  const found = service.safeParse(values);
  return {
    logLevel: values.LOG_LEVEL,
    dataDir: values.DATA_DIR,
    temporal: remote ? target(environment) : 'embedded',
    uiPort: values.TEMPORAL_UI_PORT ?? null,
    taskQueue: values.PAYMENTS_TASK_QUEUE,
    payments: found.success ? paymentsService(found.data) : 'sandbox',
    publicUrl: values.PUBLIC_URL ?? `http://127.0.0.1:${String(values.GATEWAY_PORT)}`,
    postbackKeys: values.POSTBACK_KEYS ?? null,
    payloadKeys: values.PAYLOAD_KEYS ?? null,
    host: values.GATEWAY_HOST,
    port: values.GATEWAY_PORT,
    apiKeys: values.API_KEYS ?? null,
    pollScale: values.POLL_SCALE,
    notifyTargets: notifyTargetsFrom(values),
    notifyWorkflows: values.NOTIFY_WORKFLOWS,
  };
}

function paymentsService(values: z.output<typeof service>): PaymentsServiceConfig {
  return {
    baseUrl: values.PAYMENTS_BASE_URL,
    clientId: values.PAYMENTS_CLIENT_ID,
    clientSecret: values.PAYMENTS_CLIENT_SECRET,
  };
}

/** Whether Temporal is someone else's to run. */
function namesTemporal({ values }: Environment): boolean {
  return [values.TEMPORAL_ADDRESS, values.TEMPORAL_PROFILE].some((value) => value !== undefined);
}

function target({ values }: Environment): TemporalTarget {
  return temporalTargetFrom(values);
}

function connected<S extends z.ZodType>(
  environment: Environment,
  schema: S,
  furtherFaults: readonly string[] = [],
): z.output<S> {
  return checked(environment, schema, [
    ...furtherFaults,
    ...sharedKeyFaults(environment),
    ...temporalFaults(environment),
  ]);
}

function checked<S extends z.ZodType>(
  environment: Environment,
  schema: S,
  furtherFaults: readonly string[] = [],
): z.output<S> {
  const parsed = schema.safeParse(environment.values);
  const faults = [
    ...environment.faults,
    ...(parsed.error?.issues ?? []).flatMap(({ path, message }) => {
      const name = String(path[0]);
      return environment.values[name] === undefined ? missing(environment, name) : [`${name} ${message}`];
    }),
    ...furtherFaults,
  ];
  if (!parsed.success || faults.length > 0) throw new ConfigError([...new Set(faults)]);
  return parsed.data;
}

function missing({ values }: Environment, ...names: readonly string[]): string[] {
  return configVariables
    .filter(({ name }) => names.includes(name) && values[name] === undefined)
    .map(
      ({ name, meaning }) =>
        `${name} is not set: ${meaning}. Set it, or ${name}_FILE to a file that holds it.`,
    );
}

function pollScaleFaults({ values }: Environment): string[] {
  const { POLL_SCALE: scale, PAYMENTS_BASE_URL: baseUrl } = values;
  if (scale === undefined || Number(scale) === 1 || baseUrl === undefined) return [];
  return URL.canParse(baseUrl) && isLoopback(baseUrl)
    ? []
    : [
        'POLL_SCALE must be 1 unless PAYMENTS_BASE_URL is on this machine: it would flood or starve a real service.',
      ];
}

function temporalFaults(environment: Environment): string[] {
  try {
    return plaintextFaults(environment, target(environment));
  } catch (error) {
    return [
      `Temporal's own configuration can't be read: ${error instanceof Error ? error.message : String(error)}`,
    ];
  }
}
