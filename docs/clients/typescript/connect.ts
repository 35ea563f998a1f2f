import { Client, Connection } from '@temporalio/client';
import { createPaymentsClient } from 'durable-payments-client';
import { remoteCodec } from './codec.js';

const { TEMPORAL_NAMESPACE: namespace = 'default', CODEC_ENDPOINT = '', CODEC_AUTH } = process.env;
export const address = process.env.TEMPORAL_ADDRESS ?? '127.0.0.1:7233';
/** With PAYLOAD_KEYS at hand: `paymentsDataConverter(PAYLOAD_KEYS)` of durable-payments-client, without any endpoint. */
export const dataConverter = { payloadCodecs: [remoteCodec(CODEC_ENDPOINT, CODEC_AUTH)] };

export async function connect() {
  const connection = await Connection.connect({ address });
  const client = new Client({ connection, namespace, dataConverter });
  return { client, payments: createPaymentsClient({ client, taskQueue: 'payments' }) };
}
