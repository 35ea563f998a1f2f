import { createDataConverter } from '../../src/temporal/data-converter.js';
import { parseKeyRing } from '../../src/temporal/key-ring.js';

/** As PAYLOAD_KEYS holds it, for processes that a test starts. */
export const testPayloadKeys = `test:${Buffer.alloc(32, 7).toString('base64')}`;

/** How every test writes to Temporal and reads from it: encrypted, as in production. */
export const testDataConverter = createDataConverter(parseKeyRing(testPayloadKeys));
