import { expect, test } from 'vitest';
import { paymentsDataConverter } from '../../src/client.js';

test.each(['', ' , '])('without keys (%j) the error names the variable and what to do', (payloadKeys) => {
  expect(() => paymentsDataConverter(payloadKeys)).toThrow(
    /^PAYLOAD_KEYS can't be used: it holds no key\. Set it to the keys of the workers .* or to `none`/,
  );
});

test('a damaged key is named by its position, never by its content', () => {
  expect(() => paymentsDataConverter('k1:c2VjcmV0')).toThrow(/^PAYLOAD_KEYS can't be used: entry 1 is not/);
  expect(() => paymentsDataConverter('k1:c2VjcmV0')).not.toThrow(/c2VjcmV0/);
});
