import { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import { paymentsDataConverter } from '../../dist/src/client.js';

/** The SDK without what it logs, connected to the bench's Temporal by the keys of its payments. */
export async function connect(env) {
  const logger = new DefaultLogger('ERROR');
  Runtime.install({ logger, shutdownSignals: [] });
  const connection = await NativeConnection.connect({ address: env.TEMPORAL_ADDRESS });
  const dataConverter = paymentsDataConverter(env.PAYLOAD_KEYS);
  return { logger, connection, dataConverter, client: new Client({ connection, dataConverter }) };
}
