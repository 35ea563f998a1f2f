import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { GatewayDeps } from '../../src/gateway/deps.js';
import { gatewayWithoutTemporal } from '../support/gateway-without-temporal.js';
import { card } from './requests.js';

const omsKey = 'oms-key-0123456789abcdef';
const codecKey = 'codec-key-0123456789abcd';

async function startGateway(more: Partial<GatewayDeps> = {}) {
  const { listen, close } = gatewayWithoutTemporal({
    apiKeys: [
      { name: 'shop', key: omsKey, scopes: ['oms'] },
      { name: 'web-ui', key: codecKey, scopes: ['codec'] },
    ],
    ...more,
    limits: { temporalCallMs: 100, ...more.limits },
  });
  const url = await listen();
  const call = async (method: string, path: string, key: string | null = omsKey, body?: object) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await answer.arrayBuffer();
    return {
      status: answer.status,
      allow: answer.headers.get('allow'),
      connection: answer.headers.get('connection'),
    };
  };
  return { url, call, close };
}

let gateway: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

type Announced = { more?: string; type?: string; length?: number };

/** A request with a body of which one byte comes, and all that is answered until the connection is closed. */
async function slow(
  url: string,
  method: string,
  path: string,
  key?: string,
  { more = '', type = 'application/json', length = 60_000 }: Announced = {},
): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
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
    const answer = await slow(gateway.url, method, path, key, body);
    expectLastAnswer(answer, status);
    expect(answer).toContain('application/problem+json');
  });
});

test('a request that expects what nobody here does is refused, and its connection closed', async () => {
  const answer = await slow(gateway.url, 'POST', '/v1/cards', omsKey, { more: 'Expect: foo\r\n' });
  expectLastAnswer(answer, 417);
});

test('405 names the methods that the address takes, and what it takes still works', async () => {
  const { call } = gateway;
  expect(await call('DELETE', '/v1/payouts/x')).toMatchObject({ status: 405, allow: 'GET, HEAD' });
  expect((await call('GET', '/v1/payout-batches', null)).allow).toBe('POST');
  expect((await call('POST', '/v1/payouts')).allow).toBe('GET, HEAD');
});

test('a refused request whose body came along keeps its connection', async () => {
  const answer = await gateway.call('POST', '/v1/cards', null, card());
  expect(answer).toMatchObject({ status: 401, connection: 'keep-alive' });
});

test('a thousand slow bodies to nowhere hold nobody up', async () => {
  const { url, call } = gateway;
  let sent = 0;
  let isOver = false;
  // The flood ends with its test, however that ends.
  onTestFinished(() => {
    isOver = true;
  });
  const sender = async () => {
    while (!isOver) {
      sent += 1;
      expect(await slow(url, 'POST', '/nothing')).toMatch(/ 404 /);
    }
  };
  const flood = Promise.all(Array.from({ length: 200 }, sender));
  for (let answered = 0; answered < 20 || sent < 1_000; answered += 1) {
    expect((await call('GET', '/v1/payouts/x/unknown')).status).toBe(404);
  }
  isOver = true;
  await flood;
});

test('an address that sends too much is answered 429 with Retry-After, whatever keys it shows and wherever it sends', async () => {
  const { call, close } = await startGateway({ limits: { addressRequestsPerMinute: 3 } });
  onTestFinished(close);
  for (const _ of [1, 2, 3]) expect((await call('POST', '/postbacks/forged', null)).status).toBe(404);
  expect((await call('POST', '/postbacks/forged', null)).status).toBe(429);
  for (const path of ['/nothing', '/v1/payouts/x', '/schemas']) await call('GET', path);
  expect((await call('POST', '/nothing', null)).status).toBe(429);
  expect((await call('GET', '/v1/payouts')).status).toBe(429);
  expect((await call('GET', '/healthz', null)).status).toBe(200);
});
