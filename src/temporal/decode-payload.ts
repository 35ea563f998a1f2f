import type { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';

/** What a payload of a history holds. @throws an Error when it can't be decoded */
export async function decodePayload(client: Client, payload: Payload): Promise<unknown> {
  const { payloadCodecs, payloadConverter } = client.options.loadedDataConverter;
  let payloads = [payload];
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
  const [plain] = payloads;
  return plain === undefined ? undefined : payloadConverter.fromPayload(plain);
}
