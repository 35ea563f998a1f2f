import { expect, test } from 'vitest';
import { sealToken, unsealToken } from '../../src/payments-service/token-seal.js';
import { tokenRenewalId } from '../../src/temporal/token-source.js';

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

test('the id of the renewal distinguishes service accounts, and not a slash at the end', () => {
  const id = tokenRenewalId('https://payments.example', 'a');
  expect(id).toMatch(/^token-renewal-[0-9a-f]{16}$/);
  expect(tokenRenewalId('https://payments.example/', 'a')).toBe(id);
  expect(tokenRenewalId('https://payments.example', 'b')).not.toBe(id);
  expect(tokenRenewalId('https://payments.example/v2', 'a')).not.toBe(id);
});
