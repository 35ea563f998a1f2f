import type { Client } from '@temporalio/client';
import type { Payload } from '@temporalio/common';
import { PayloadDecryptionError, keyIdOf } from './payload-codec.js';

/** What a payload of a history holds. @throws PayloadDecryptionError when it was encrypted with another key */
export async function decodePayload(client: Client, payload: Payload): Promise<unknown> {
  const { payloadCodecs, payloadConverter } = client.options.loadedDataConverter;
  let payloads = [payload];
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads);
  const [plain] = payloads;
  if (plain === undefined) return undefined;
  const keyId = keyIdOf(plain);
  if (keyId !== null) {
    throw new PayloadDecryptionError(
      `was encrypted with the key ${keyId}, and this process has no PAYLOAD_KEYS`,
    );
  }
  return payloadConverter.fromPayload(plain);
}
