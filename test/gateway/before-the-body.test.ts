import { describe, expect } from 'vitest';
import { ownGateway, test } from '../support/gateway-without-temporal.js';
import { answerTo } from '../support/sockets.js';
import { codecKey, omsKey } from './call.js';
import { card } from './requests.js';

type Announced = { more?: string; type?: string; length?: number };

/** A request with a body of which one byte comes, and all that is answered until the connection is closed. */
function slow(
  url: string,
  method: string,
  path: string,
  key?: string,
  { more = '', type = 'application/json', length = 60_000 }: Announced = {},
): Promise<string> {
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  const content = `Content-Type: ${type}\r\nContent-Length: ${String(length)}\r\n\r\n{`;
  return answerTo(url, `${method} ${path} HTTP/1.1\r\nHost: a\r\n${authorization}${more}${content}`);
}

/** It closes the connection itself. What is left open is closed by an answer of its own, 15 seconds later: 408. */
function expectLastAnswer(text: string, status: number): void {
  const [head = '', ...further] = text.split(/(?=HTTP\/1\.1 )/);
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `));
  expect(head).toMatch(/^connection: close\r$/im);
  expect(further).toEqual([]);
}

describe('before a byte of its body is waited for, and with the connection closed,', () => {
  test.for<[string, number, string, string, string | undefined, Announced?]>([
    ['an address that does not exist', 404, 'POST', '/nothing', undefined],
    ['an address under /v1 that does not exist', 404, 'POST', '/v1/nothing', omsKey],
    ['a request without a key', 401, 'POST', '/v1/cards', undefined],
    ['a key without the scope', 403, 'POST', '/v1/payouts/x/resolve', omsKey],
    ['a key that only decodes', 403, 'POST', '/v1/payouts/pix', codecKey],
    ['a forged postback', 404, 'POST', '/postbacks/x', undefined],
    ['a method that the address does not take', 405, 'PUT', '/v1/payouts/pix', undefined],
    ['an address with a broken escape', 400, 'POST', '/v1/payouts/%zz/retry', omsKey],
    ['an address with too long a part', 414, 'POST', `/v1/payouts/${'x'.repeat(600)}/retry`, omsKey],
    ['a body that is announced too long', 413, 'POST', '/v1/payouts/pix', omsKey, { length: 70_000 }],
    ['a body of a type that nobody reads', 415, 'POST', '/v1/payouts/pix', omsKey, { type: 'text/plain' }],
  ])('%s gets %i', async ([, status, method, path, key, body], { gateway }) => {
    const answer = await slow(gateway.url, method, path, key, body);
    expectLastAnswer(answer, status);
    expect(answer).toContain('application/problem+json');
  });
});

test('a request that expects what nobody here does is refused, and its connection closed', async ({
  gateway,
}) => {
  const answer = await slow(gateway.url, 'POST', '/v1/cards', omsKey, { more: 'Expect: foo\r\n' });
  expectLastAnswer(answer, 417);
});

test('405 names the methods that the address takes, and what it takes still works', async ({ gateway }) => {
  const readOnly = { status: 405, headers: { allow: 'GET, HEAD' } };
  expect(await gateway.call('DELETE', '/v1/payouts/x')).toMatchObject(readOnly);
  expect(await gateway.call('POST', '/v1/payouts')).toMatchObject(readOnly);
  const batches = await gateway.call('GET', '/v1/payout-batches', { key: null });
  expect(batches.headers).toMatchObject({ allow: 'POST' });
});

test('a refused request whose body came along keeps its connection', async ({ gateway }) => {
  const answer = await gateway.call('POST', '/v1/cards', { key: null, body: card() });
  expect(answer).toMatchObject({ status: 401, headers: { connection: 'keep-alive' } });
});

test('an address that sends too much is answered 429 with Retry-After, whatever keys it shows and wherever it sends', async () => {
  const { call } = await ownGateway({ limits: { addressRequestsPerMinute: 3 } });
  const statusOf = async (method: string, path: string, key?: null) =>
    (await call(method, path, key === null ? { key } : {})).status;
  for (const _ of [1, 2, 3]) expect(await statusOf('POST', '/postbacks/forged', null)).toBe(404);
  expect(await statusOf('POST', '/postbacks/forged', null)).toBe(429);
  for (const path of ['/nothing', '/v1/payouts/x', '/schemas']) await statusOf('GET', path);
  const refused = await call('POST', '/nothing', { key: null });
  expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': expect.any(String) as string } });
  expect(await statusOf('GET', '/v1/payouts')).toBe(429);
  expect(await statusOf('GET', '/healthz', null)).toBe(200);
});
