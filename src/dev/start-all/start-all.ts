import { randomBytes } from 'node:crypto';
import type { Env } from '../../config/environment.js';
import { ConfigError, loadOrGenerateKeys } from '../../config.js';
import type { GatewayConfig, StartConfig } from '../../config/settings.js';
import type { ApiKey } from '../../config/values.js';
import type { CodecEndpoint } from '../../gateway/deps.js';
import { plainTarget } from '../../temporal/connection.js';
import { createDataConverter } from '../../temporal/data-converter.js';
import type { OnProgress } from '../embedded-temporal/progress.js';
import { startEmbeddedTemporal } from '../embedded-temporal/server.js';
import { EncryptionCodec } from '../../temporal/payload-codec.js';
import { ensureSearchAttributes } from '../../temporal/search-attributes.js';
import { connectWorker } from '../../temporal/worker-connection.js';
import { isFreePort } from '../free-port.js';
import { startGatewayServer } from '../../processes/gateway-server.js';
import { startLocalSandbox } from './local-sandbox.js';
import type { Logger } from '../../processes/logger.js';
import { startPaymentWorkers } from '../../processes/payment-workers.js';
import { createPaymentsParts } from '../../processes/payments-parts.js';
import { scheduleReconciliation } from '../../processes/reconciliation.js';
import { closing, startStack } from '../../processes/running.js';
import type { Running, Stack } from '../../processes/running.js';

export type StartOptions = {
  readonly config: StartConfig;
  /** Where the `temporal` program is looked for. */
  readonly env: Env;
  readonly logger: Logger;
  readonly onProgress: OnProgress;
  /** Multiplies each delay of the sandbox; `POLL_SCALE` when absent. */
  readonly sandboxTimeScale?: number;
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
    readonly uiUrl: string;
    /** What the `temporal` command decodes with; of this run alone. */
    readonly codecUrl: string;
  } | null;
  /** Null when there is a real payments service. */
  readonly sandboxUrl: string | null;
};

/**
 * Starts all in one: Temporal unless one is named, the sandbox unless a payments service is, gateway and workers.
 * Keys and data are kept under `dataDir`: a restart finds everything again.
 *
 * @throws ConfigError, DataDirInUseError, TemporalUnavailableError, SearchAttributeError
 */
export async function startAll(options: StartOptions): Promise<StartedAll> {
  const { config, logger, onProgress } = options;
  if (!(await isFreePort(config.port, config.host))) {
    throw new ConfigError([
      `The port ${String(config.port)} is taken. Stop the program that has it, or set GATEWAY_PORT to another.`,
    ]);
  }
  const keys = keysOf(config);
  return startStack(async (stack) => {
    const codecPath = `/codec-${randomBytes(24).toString('base64url')}`;
    const embedded = config.temporal === 'embedded' ? await startTemporal(options, codecPath, stack) : null;
    const temporal = config.temporal === 'embedded' ? (embedded?.target ?? plainTarget('')) : config.temporal;
    const local =
      config.payments === 'sandbox'
        ? await startLocalSandbox(config.dataDir, options.sandboxTimeScale ?? config.pollScale, logger)
        : null;
    if (local !== null) stack.add(closing(() => local.close()));
    const payments = config.payments === 'sandbox' ? local?.payments : config.payments;
    if (payments === undefined) throw new Error('There is no payments service.');
    const resolved: Omit<GatewayConfig, 'uiOrigins'> = { ...config, ...keys, temporal, payments };

    onProgress('connecting workers and gateway');
    const dataConverter = createDataConverter(keys.payloadKeys);
    const opened = await connectWorker(temporal, dataConverter);
    stack.add(closing(() => opened.close()));
    await ensureSearchAttributes(opened.connection, temporal.namespace);
    const parts = createPaymentsParts(opened.client, resolved);
    stack.add(closing(() => parts.close()));
    const shared = { ...opened, dataConverter, config: resolved, parts };
    stack.add(await startPaymentWorkers(shared));
    await scheduleReconciliation(opened.client, resolved.taskQueue);
    const codec = embedded === null ? null : uiCodec(keys.payloadKeys, codecPath, embedded.uiUrl);
    stack.add(
      await startGatewayServer({
        ...shared,
        logger,
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
  codecPath: string,
  stack: Stack,
) {
  const codecUrl = `http://127.0.0.1:${String(config.port)}${codecPath}`;
  const server = await startEmbeddedTemporal({
    storage: { dataDir: config.dataDir },
    env,
    onProgress,
    uiCodecEndpoint: codecUrl,
    ...(config.uiPort === null ? {} : { uiPort: config.uiPort }),
    ...(temporalPort === undefined ? {} : { port: temporalPort }),
  });
  stack.add({
    failed: server.failed.then(
      (words) => new Error(`The embedded Temporal has ended. Its last output: ${words}`),
    ),
    stop: () => server.stop(),
  });
  const { address, uiUrl, namespace } = server;
  return { address, uiUrl, codecUrl, target: plainTarget(address, namespace) };
}

/** What the Web UI of the embedded Temporal decodes with: no key, but a path of this run that nobody can guess. */
function uiCodec(payloadKeys: Keys['payloadKeys'], path: string, uiUrl: string): CodecEndpoint | null {
  if (payloadKeys === 'none') return null;
  const origins = [uiUrl, uiUrl.replace('//127.0.0.1:', '//localhost:')];
  return { codec: new EncryptionCodec(payloadKeys), path, auth: 'none', origins };
}

function urlOf({ host, port }: StartConfig): string {
  const anywhere = host === '0.0.0.0' || host === '::';
  const name = anywhere ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${String(port)}`;
}
