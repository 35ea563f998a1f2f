import { createHash } from 'node:crypto';
import { createDataConverter } from '../../src/temporal/data-converter.js';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { keepingUnopened } from '../../src/temporal/unopened-payloads.js';

const key = createHash('sha256').update('payloads of tests').digest('base64');
/** As PAYLOAD_KEYS holds it, for processes that a test starts. */
export const testPayloadKeys = `tests:${key}`;
/** Of histories that were recorded with it. */
const recordedWith = `test:${Buffer.alloc(32, 7).toString('base64')}`;

/** How every test writes to Temporal and reads from it: encrypted, as in production. */
export const testDataConverter = createDataConverter(parseKeyRing(`${testPayloadKeys},${recordedWith}`));

/** The same, of a worker of workflows: a message that it can't open is dropped. */
export const testWorkflowDataConverter = keepingUnopened(testDataConverter, () => undefined);
