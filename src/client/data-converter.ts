import type { DataConverter } from '@temporalio/common';
import { createDataConverter } from '../temporal/data-converter.js';
import { KeyRingError, parseKeyRing } from '../temporal/key-ring.js';
import type { KeyRing } from '../temporal/key-ring.js';

/**
 * How the workers write into Temporal and read from it, for the `dataConverter` of a Temporal client.
 *
 * @param payloadKeys the text of the workers' `PAYLOAD_KEYS`
 * @throws KeyRingError with what is wrong with it and what to do, without its content.
 */
export function paymentsDataConverter(payloadKeys: string): DataConverter {
  return createDataConverter(payloadKeys === 'none' ? 'none' : keysOf(payloadKeys));
}

function keysOf(payloadKeys: string): KeyRing {
  try {
    return parseKeyRing(payloadKeys);
  } catch (error) {
    if (!(error instanceof KeyRingError)) throw error;
    throw new KeyRingError(
      `PAYLOAD_KEYS can't be used: ${error.message}. Set it to the keys of the workers (id:base64 of 32 bytes), or to ` +
        '`none` if they store plaintext.',
    );
  }
}
