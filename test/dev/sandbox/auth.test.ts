import { expect } from 'vitest';
import { retryTable } from '../../../src/domain/retry-table.js';
import { anyText, basic, callerOf, pixPayout, sandbox, signedIn, test } from './helpers.js';

test('the client id and secret buy a Bearer token of 30 minutes', async ({ service }) => {
  const { status, json } = await callerOf(service)('POST /v1/auth', undefined, { authorization: basic });
  expect(status).toBe(200);
  expect(json).toEqual({ token: anyText, expire_minutes: 30, type: 'Bearer' });
});

test('a wrong secret, and no credentials at all, buy nothing', async ({ control }) => {
  const wrong = `Basic ${Buffer.from('shop:guess').toString('base64')}`;
  expect((await control('POST /v1/auth', undefined, { authorization: wrong })).status).toBe(401);
  expect((await control('POST /v1/auth')).status).toBe(401);
});

test('a new token ends the previous one', async ({ service }) => {
  const previous = await signedIn(service);
  const current = await signedIn(service);
  expect((await previous('GET /v1/payouts')).status).toBe(401);
  expect((await current('GET /v1/payouts')).status).toBe(200);
});

test('a token ends with its life, and when it is made to', async ({ service, call }) => {
  const shortLived = await signedIn(await sandbox({ tokenMinutes: 0 }));
  expect((await shortLived('GET /v1/payouts')).status).toBe(401);
  service.expireToken();
  expect((await call('GET /v1/payouts')).status).toBe(401);
});

test('every endpoint but the first refuses a call without a token, and does nothing', async ({ service }) => {
  const call = callerOf(service);
  const endpoints = Object.keys(retryTable).filter((endpoint) => endpoint !== 'POST /v1/auth');
  expect(endpoints).toHaveLength(12);
  for (const endpoint of endpoints.map((each) => each.replace('{id}', '1'))) {
    const { status, json } = await call(endpoint, endpoint.startsWith('POST') ? pixPayout() : undefined);
    expect([endpoint, status]).toEqual([endpoint, 401]);
    expect(json).toMatchObject({ error: { code: 'unauthorized' } });
  }
  expect(service.ledger().payouts).toEqual([]);
});
