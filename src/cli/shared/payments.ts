import { userInfo } from 'node:os';
import { isGrpcServiceError } from '@temporalio/client';
import type { Client, Connection, WorkflowClientInterceptor } from '@temporalio/client';
import { createPaymentsClient } from '../../client.js';
import type { PaymentsClient } from '../../client.js';
import { ConfigError, loadConfig, processEnvironment, readGeneratedKeys } from '../../config.js';
import type { CliConfig } from '../../config/settings.js';
import { openWhatIsThere } from '../../health/prove-payload-keys.js';
import { connectClient, plainTarget } from '../../temporal/connection.js';
import type { OpenClient, TemporalTarget } from '../../temporal/connection.js';
import { createDataConverter } from '../../temporal/data-converter.js';
import { readEmbeddedState } from '../../dev/embedded-temporal/state-file.js';
import { isFreePort } from '../../dev/free-port.js';
import { NotRunningError } from './exit.js';

const callTimeoutMs = 30_000;
const GRPC_UNIMPLEMENTED = 12;

/**
 * Works with the payments of a Temporal cluster: the one that the environment names, else the embedded one of a
 * `durable-payments start` with the same DATA_DIR, whose keys are found there too.
 *
 * @throws ConfigError, NotRunningError; PayloadKeysError before anything is sent
 */
export function withPayments<T>(use: (payments: PaymentsClient) => Promise<T>): Promise<T> {
  return withTemporal(({ payments }) => use(payments));
}

/** As `withPayments`, with the Temporal client and the task queue that the payments client uses. */
export async function withTemporal<T>(
  use: (at: { client: Client; taskQueue: string; payments: PaymentsClient }) => Promise<T>,
): Promise<T> {
  const config = loadConfig(processEnvironment(), 'cli');
  const target = config.temporal === 'embedded' ? await embeddedTarget(config) : config.temporal;
  const dataConverter = createDataConverter(keysOf(config));
  const proof = provingKeys(() => openWhatIsThere(opened.client, config.taskQueue));
  const opened: OpenClient<Connection> = await connectClient(target, dataConverter, [proof]).catch(
    (error: unknown) => {
      const address = String(target.connectionOptions.address);
      throw new NotRunningError(`No Temporal answers at ${address}. Nothing was done.`, { cause: error });
    },
  );
  try {
    const { client } = opened;
    const { taskQueue, notifyWorkflows } = config;
    const payments = createPaymentsClient({ client, taskQueue, callTimeoutMs, notifyWorkflows });
    return await use({ client, taskQueue, payments });
  } finally {
    await opened.close();
  }
}

/** Proves the keys before the first start, command or Signal: no worker could open what is written under others. */
function provingKeys(prove: () => Promise<unknown>): WorkflowClientInterceptor {
  let proven: Promise<unknown> | undefined;
  const first = async <Input, Sent>(input: Input, send: (input: Input) => Promise<Sent>): Promise<Sent> => {
    await (proven ??= prove().catch(unlessUnsearchable));
    return send(input);
  };
  return { startWithDetails: first, startUpdate: first, signal: first };
}

/** A server of Temporal for tests alone, which skips time, has no search to prove anything by. */
function unlessUnsearchable(error: unknown): void {
  if (!isGrpcServiceError(error) || Number(error.code) !== GRPC_UNIMPLEMENTED) throw error;
}

/** Who commands, and why, for a payment's timeline. */
export function operator(reason: string): { by: string; reason: string } {
  return { by: operatorName(), reason };
}

export function operatorName(): string {
  return `cli ${userInfo().username}`;
}

async function embeddedTarget({ dataDir }: CliConfig): Promise<TemporalTarget> {
  const state = await readEmbeddedState(dataDir);
  if (state === null || (await isFreePort(state.port, '127.0.0.1'))) {
    throw new NotRunningError(
      `Nothing runs with the data directory ${dataDir}. Start it with \`npm start\`, or set DATA_DIR to its ` +
        'directory, or TEMPORAL_ADDRESS to the Temporal that your workers use. Nothing was done.',
    );
  }
  return plainTarget(`127.0.0.1:${String(state.port)}`, state.namespace);
}

function keysOf({ payloadKeys, dataDir }: CliConfig) {
  const keys = payloadKeys ?? readGeneratedKeys(dataDir)?.payloadKeys;
  if (keys !== undefined) return keys;
  throw new ConfigError([
    `PAYLOAD_KEYS is not set, and ${dataDir} holds no generated keys: payments can't be read without them.`,
  ]);
}
