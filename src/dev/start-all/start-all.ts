import { randomBytes } from 'node:crypto';
import { createAuditLog } from '../../audit/audit-log.js';
import { lineFile } from '../../audit/line-file.js';
import type { Env } from '../../config/environment.js';
import { ConfigError, loadOrGenerateKeys } from '../../config.js';
import type { GatewayConfig, StartConfig } from '../../config/settings.js';
import type { ApiKey } from '../../config/values.js';
import type { CodecEndpoint } from '../../gateway/deps.js';
import { provePayloadKeys } from '../../health/prove-payload-keys.js';
import { plainTarget } from '../../temporal/connection.js';
import { createDataConverter } from '../../temporal/data-converter.js';
import type { OnProgress } from '../embedded-temporal/progress.js';
import { startEmbeddedTemporal } from '../embedded-temporal/server.js';
import { EncryptionCodec } from '../../temporal/payload-codec.js';
import { ensureSearchAttributes } from '../../temporal/search-attributes.js';
import { connectWorker } from '../../temporal/worker-connection.js';
import { requireOpenFiles } from '../../processes/open-files.js';
import { listenWords } from '../../processes/listen-fault.js';
import { listenOnce } from '../free-port.js';
import { startGatewayServer } from '../../processes/gateway-server.js';
import { startLocalSandbox } from './local-sandbox.js';
import type { ProcessMetrics } from '../../metrics/process-metrics.js';
import { writeCodecEndpoint } from './codec-endpoint.js';
import type { Logger } from '../../processes/logger.js';
import { startPaymentWorkers } from '../../processes/payment-workers.js';
import { createActivityDependencies } from '../../processes/activity-dependencies.js';
import { scheduleReconciliation } from '../../processes/reconciliation.js';
import { closing, startStack } from '../../processes/running.js';
import type { Running, Stack } from '../../processes/running.js';
import { startTracing } from '../../processes/start-tracing.js';
import { readClock } from '../../processes/watch-clock.js';

export type StartOptions = {
  readonly config: StartConfig;
  /** Where the `temporal` program is looked for. */
  readonly env: Env;
  readonly logger: Logger;
  readonly metrics: ProcessMetrics;
  readonly onProgress: OnProgress;
  /** Multiplies each delay of the sandbox; `POLL_SCALE` when absent. */
  readonly sandboxTimeScale?: number;
  /** The file that audit lines are appended to; standard output when absent. */
  readonly auditFile?: string;
  /** Of the embedded Temporal; that of the last time, else the usual one when absent. */
  readonly temporalPort?: number;
};

/** Everything in one process, and where it is. */
export type StartedAll = Running & {
  readonly gatewayUrl: string;
  readonly apiKeys: readonly ApiKey[];
  readonly namespace: string;
  /** Of the embedded Temporal; null when it is someone else's. */
  readonly temporal: {
    readonly address: string;
    /** What opens a page of the Web UI, such as `/namespaces/default`: the token is in it. Null where there is none. */
    readonly webUiLink: ((path: string) => string) | null;
    /** What the `temporal` command decodes with: no key, but a path that nobody can guess. */
    readonly codecUrl: string;
  } | null;
  /** Null when there is a real payments service. */
  readonly sandboxUrl: string | null;
};

const otherConnections = 2_500;

/**
 * Starts all in one: Temporal unless one is named, the sandbox unless a payments service is, gateway and workers.
 * Keys and data are kept under `dataDir`: a restart finds everything again.
 *
 * @throws ConfigError, DataDirInUseError, TemporalUnavailableError, SearchAttributeError, PayloadKeysError
 */
export async function startAll(options: StartOptions): Promise<StartedAll> {
  const { config, logger, metrics, onProgress } = options;
  // The Web UI and the sandbox have bounds of their own in the same process.
  requireOpenFiles(otherConnections);
  await listenOnce(config.port, config.host).catch((error: unknown) => {
    throw new ConfigError([listenWords(error, config)]);
  });
  const keys = keysOf(config);
  return startStack(async (stack) => {
    const embedded =
      config.temporal === 'embedded' ? await startTemporal(options, keys.payloadKeys, stack) : null;
    const temporal = config.temporal === 'embedded' ? (embedded?.target ?? plainTarget('')) : config.temporal;
    const local =
      config.payments === 'sandbox'
        ? await startLocalSandbox(config.dataDir, options.sandboxTimeScale ?? config.pollScale, logger)
        : null;
    if (local !== null) stack.add(closing(() => local.close()));
    const payments = config.payments === 'sandbox' ? local?.payments : config.payments;
    if (payments === undefined) throw new Error('There is no payments service.');
    const resolved = { ...config, ...keys, temporal, payments };

    onProgress('connecting workers and gateway');
    const dataConverter = createDataConverter(keys.payloadKeys);
    const tracing = await startTracing(config.traces, logger);
    stack.add(closing(() => tracing.stop()));
    const opened = await connectWorker(temporal, dataConverter, tracing.clientInterceptors);
    stack.add(closing(() => opened.close()));
    await ensureSearchAttributes(opened.connection, temporal.namespace);
    await provePayloadKeys(opened.client, resolved.taskQueue);
    const clock = await readClock(opened.client);
    const dependencies = createActivityDependencies(
      opened.client,
      resolved,
      metrics.registry,
      tracing,
      clock,
    );
    stack.add(closing(() => dependencies.close()));
    const audit =
      options.auditFile === undefined ? {} : { audit: createAuditLog(lineFile(options.auditFile)) };
    const shared = { ...opened, ...audit, dataConverter, config: resolved, dependencies, logger, tracing };
    stack.add(await startPaymentWorkers(shared));
    stack.add(await scheduleReconciliation(opened.client, resolved.taskQueue));
    const codec = embedded === null ? null : secretCodec(keys.payloadKeys, embedded.codecUrl);
    stack.add(
      await startGatewayServer({
        ...shared,
        logger,
        metrics,
        eagerStart: true,
        ...(codec === null ? {} : { codec }),
      }),
    );
    return {
      failed: stack.failed,
      stop: () => stack.stop(),
      gatewayUrl: urlOf(config),
      apiKeys: keys.apiKeys,
      namespace: temporal.namespace,
      temporal: embedded,
      sandboxUrl: local?.url ?? null,
    };
  });
}

type Keys = Pick<GatewayConfig, 'payloadKeys' | 'postbackKeys' | 'apiKeys'>;

/** The keys that were given; those that were not are generated once and kept. */
function keysOf({ payloadKeys, postbackKeys, apiKeys, dataDir }: StartConfig): Keys {
  if (payloadKeys !== null && postbackKeys !== null && apiKeys !== null) {
    return { payloadKeys, postbackKeys, apiKeys };
  }
  const kept = loadOrGenerateKeys(dataDir);
  return {
    payloadKeys: payloadKeys ?? kept.payloadKeys,
    postbackKeys: postbackKeys ?? kept.postbackKeys,
    apiKeys: apiKeys ?? kept.apiKeys,
  };
}

async function startTemporal(
  { config, env, onProgress, temporalPort }: StartOptions,
  payloadKeys: Keys['payloadKeys'],
  stack: Stack,
) {
  // New with each start: what has seen the one before opens nothing any more.
  const token = randomBytes(24).toString('base64url');
  const codecUrl = `http://127.0.0.1:${String(config.port)}/codec-${token}`;
  await writeCodecEndpoint(config.dataDir, codecUrl);
  const server = await startEmbeddedTemporal({
    storage: { dataDir: config.dataDir },
    env,
    onProgress,
    webUi: { token, codecUrl: payloadKeys === 'none' ? null : codecUrl },
    ...(config.uiPort === null ? {} : { uiPort: config.uiPort }),
    ...(temporalPort === undefined ? {} : { port: temporalPort }),
  });
  stack.add({
    failed: server.failed.then(
      (words) => new Error(`The embedded Temporal has ended. Its last output: ${words}`),
    ),
    stop: () => server.stop(),
  });
  const { address, namespace, webUiLink } = server;
  return { address, webUiLink, codecUrl, target: plainTarget(address, namespace) };
}

/** For the Web UI and the `temporal` command on this machine. No page asks it, but what stands before the Web UI. */
function secretCodec(payloadKeys: Keys['payloadKeys'], codecUrl: string): CodecEndpoint | null {
  if (payloadKeys === 'none') return null;
  const { pathname: path } = new URL(codecUrl);
  return { codec: new EncryptionCodec(payloadKeys), path, auth: 'none', origins: [] };
}

function urlOf({ host, port }: StartConfig): string {
  const anywhere = host === '0.0.0.0' || host === '::';
  const name = anywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${String(port)}`;
}
