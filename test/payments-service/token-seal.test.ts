import { expect, test } from 'vitest';
import { sealToken, unsealToken } from '../../src/payments-service/token-seal.js';

const secret = { clientSecret: 'secret', generation: 3, token: 'token-of-the-service' };

test('a sealed token opens with the same client_secret and generation', () => {
  const sealed = sealToken(secret);
  expect(sealed).not.toContain(secret.token);
  expect(unsealToken('secret', { generation: 3, sealed })).toBe(secret.token);
});

test('two seals of one token differ', () => {
  expect(sealToken(secret)).not.toBe(sealToken(secret));
});

test('another client_secret, another generation or a damaged seal opens nothing', () => {
  const sealed = sealToken(secret);
  const damaged = Buffer.from(sealed, 'base64url');
  damaged.writeUInt8(damaged.readUInt8(14) ^ 1, 14);
  expect(unsealToken('other', { generation: 3, sealed })).toBeUndefined();
  expect(unsealToken('secret', { generation: 4, sealed })).toBeUndefined();
  expect(unsealToken('secret', { generation: 3, sealed: damaged.toString('base64url') })).toBeUndefined();
  expect(unsealToken('secret', { generation: 3, sealed: '' })).toBeUndefined();
});
