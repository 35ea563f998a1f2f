import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { card } from './requests.js';
import { codecKey, omsKey, startTestGateway } from './test-gateway.js';
import type { TestGateway } from './test-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

type Announced = { more?: string; type?: string; length?: number };

/** A request with a body of which one byte comes, and all that is answered until the connection is closed. */
async function slow(
  method: string,
  path: string,
  key?: string,
  { more = '', type = 'application/json', length = 60_000 }: Announced = {},
): Promise<string> {
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  const authorization = key === undefined ? '' : `Authorization: Bearer ${key}\r\n`;
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: a\r\n${authorization}${more}Content-Type: ${type}\r\n` +
      `Content-Length: ${String(length)}\r\n\r\n{`,
  );
  let text = '';
  socket.on('data', (chunk: Buffer) => (text += chunk.toString())).on('error', () => undefined);
  await once(socket, 'close');
  return text;
}

/** It closes the connection itself. What is left open is closed by an answer of its own, 15 seconds later: 408. */
function expectLastAnswer(text: string, status: number): void {
  const [head = '', ...further] = text.split(/(?=HTTP\/1\.1 )/);
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} `));
  expect(head).toMatch(/^connection: close\r$/im);
  expect(further).toEqual([]);
}

describe('before a byte of its body is waited for, and with the connection closed,', () => {
  test.each<[string, number, string, string, string | undefined, Announced?]>([
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
  ])('%s gets %i', async (_, status, method, path, key, body) => {
    const answer = await slow(method, path, key, body);
    expectLastAnswer(answer, status);
    expect(answer).toContain('application/problem+json');
  });
});

test('a request that expects what nobody here does is refused, and its connection closed', async () => {
  const answer = await slow('POST', '/v1/cards', omsKey, { more: 'Expect: foo\r\n' });
  expectLastAnswer(answer, 417);
});

test('405 names the methods that the address takes, and what it takes still works', async () => {
  const answer = await gateway.call('DELETE', '/v1/payouts/x');
  expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  expect((await gateway.call('GET', '/v1/payout-batches', { key: null })).headers.allow).toBe('POST');
  expect((await gateway.call('POST', '/v1/payouts')).headers.allow).toBe('GET, HEAD');
});

test('a refused request whose body came along keeps its connection', async () => {
  const answer = await gateway.call('POST', '/v1/cards', { key: null, body: card() });
  expect(answer).toMatchObject({ status: 401, headers: { connection: 'keep-alive' } });
});

test('five thousand slow bodies to nowhere hold nobody up', async () => {
  let sent = 0;
  let isOver = false;
  // The flood ends with its test, however that ends.
  onTestFinished(() => {
    isOver = true;
  });
  const sender = async () => {
    while (!isOver) {
      sent += 1;
      expect(await slow('POST', '/nothing')).toMatch(/ 404 /);
    }
  };
  const flood = Promise.all(Array.from({ length: 200 }, sender));
  for (let answered = 0; answered < 20 || sent < 5_000; answered += 1) {
    expect((await gateway.call('GET', '/v1/payouts/unknown')).status).toBe(404);
  }
  isOver = true;
  await flood;
});

test('an address that sends too much is answered 429 with Retry-After, whatever keys it shows and wherever it sends', async () => {
  const limited = await startTestGateway({ limits: { addressRequestsPerMinute: 3 } });
  for (const _ of [1, 2, 3])
    expect((await limited.call('POST', '/postbacks/forged', { key: null })).status).toBe(404);
  expect((await limited.call('POST', '/postbacks/forged', { key: null })).status).toBe(429);
  for (const path of ['/nothing', '/v1/payouts/x', '/schemas']) await limited.call('GET', path);
  expect(await limited.call('POST', '/nothing', { key: null })).toMatchObject({ status: 429 });
  expect(await limited.call('GET', '/v1/payouts')).toMatchObject({ status: 429 });
  expect((await limited.call('GET', '/healthz', { key: null })).status).toBe(200);
  await limited.close();
});
