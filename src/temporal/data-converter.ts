import { fileURLToPath } from 'node:url';
import type { DataConverter } from '@temporalio/common';
import { EncryptionCodec } from './payload-codec.js';
import type { KeyRing } from './key-ring.js';

/** What `bundleWorkflowCode` needs to know, so that failures of workflows are encrypted like those of activities. */
export const failureConverterPath = fileURLToPath(new URL('./failure-converter.cjs', import.meta.url));

/** How everything is written into Temporal and read from it: encrypted under `keys`, or in plaintext with `none`. */
export function createDataConverter(keys: KeyRing | 'none'): DataConverter {
  return { failureConverterPath, payloadCodecs: keys === 'none' ? [] : [new EncryptionCodec(keys)] };
}
