import type { DataConverter } from '@temporalio/common';
import { createDataConverter } from '../temporal/data-converter.js';
import { parseKeyRing } from '../temporal/key-ring.js';

/**
 * How the workers write into Temporal and read from it, for the `dataConverter` of a Temporal client.
 *
 * @param payloadKeys the text of the workers' `PAYLOAD_KEYS`
 * @throws KeyRingError saying what is wrong with it, without its content.
 */
export function paymentsDataConverter(payloadKeys: string): DataConverter {
  return createDataConverter(payloadKeys === 'none' ? 'none' : parseKeyRing(payloadKeys));
}
