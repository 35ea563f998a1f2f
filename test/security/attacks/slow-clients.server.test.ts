import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { postbackCapability } from '../../../src/contract/postback-capability.js';
import type { GatewayLimits } from '../../../src/gateway/deps.js';
import { pixPayout } from '../../gateway/requests.js';
import {
  call,
  omsKey,
  operatorKey,
  otherOmsKey,
  postbackKey,
  startGatewayOn,
  startTestGateway,
} from '../../gateway/test-gateway.js';
import type { TestGateway } from '../../gateway/test-gateway.js';
import { inFull } from '../../support/tools.js';
import { waiting } from '../../support/waiting.js';
import { closed, connections } from '../support/sockets.js';

let stack: TestGateway;
let payout: { path: string; workflowId: string };
beforeAll(async () => {
  stack = await startTestGateway();
  payout = await submittingPayout();
});
afterAll(() => stack.close());

/** A payout that stays as it is until the test moves it. */
async function submittingPayout(): Promise<typeof payout> {
  const body = pixPayout();
  await stack.call('POST', '/v1/payouts/pix', { body });
  return { path: `/v1/payouts/${body.partner_code}`, workflowId: `payout-${body.partner_code}` };
}

/** None but what a test sets closes a connection: nobody is too long idle. */
const patient = { idleMs: 600_000, keepAliveMs: 600_000, requestMs: 600_000 };

async function gatewayWith(limits: Partial<GatewayLimits>) {
  const gateway = await startGatewayOn(stack.server, { limits: { ...patient, ...limits } });
  onTestFinished(gateway.close);
  return gateway;
}

/** Does it again and again, until the test is over. */
function keepDoing(act: () => void): void {
  const timer = setInterval(act, 20);
  onTestFinished(() => {
    clearInterval(timer);
  });
}

/** The status that a new connection of this address is answered with. */
async function statusFrom(localAddress: string, url: string, path: string, key?: string): Promise<number> {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const sent = request(url + path, { localAddress, agent: false, headers }).end();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  answer.resume();
  return answer.statusCode ?? 0;
}

const signed = (method: string, path: string, more = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${omsKey}\r\n${more}\r\n`;
const bundle = '/docs/static/swagger-ui-bundle.js';
/** More than the buffers of a connection hold. */
const large = signed('GET', bundle).repeat(16);
const wait = () => signed('GET', `${payout.path}?until=done`, 'Prefer: wait=30\r\n');
const body = 'Content-Type: application/json\r\nContent-Length: 60000\r\n';

describe('twice as many connections of one key as there may be,', () => {
  const unlimited = { requestsAtOnce: 100_000, waitsAtOnce: 100_000 };
  const kinds: [string, Partial<GatewayLimits>, () => string, (socket: Socket) => void][] = [
    ['that read nothing of a large answer', unlimited, () => large, () => undefined],
    ['that read 64 bytes of it at a time', unlimited, () => large, (socket) => void socket.read(64)],
    ['that wait for a status', { requestsAtOnce: 16 }, wait, (socket) => void socket.read()],
    [
      'that send a thousand requests at once',
      unlimited,
      () => wait().repeat(1_000),
      (socket) => void socket.read(),
    ],
    [
      'that stay when they are answered',
      unlimited,
      () => signed('GET', '/healthz'),
      (socket) => void socket.read(),
    ],
    [
      'that send their body byte by byte',
      unlimited,
      () => signed('POST', '/v1/cards', body),
      (socket) => void socket.write(' '),
    ],
  ];
  // The places are given in one way, whatever a connection does there.
  test.each(inFull() ? kinds : kinds.filter(([what]) => what === 'that wait for a status'))(
    '%s, keep neither another key nor another address out',
    async (_, limits, sent, act) => {
      const { url, requests } = await gatewayWith({ ...limits, connections: 40 });
      const attackers = connections(url, 80, sent());
      keepDoing(() => {
        for (const socket of attackers) act(socket);
      });
      // As many as may be stay open, and have sent what they have to.
      await vi.waitUntil(() => requests() >= 36 * (sent() === large ? 16 : 1), waiting);
      // Until their answers are on their way, they are at work.
      const another = () => statusFrom('127.0.0.1', url, '/v1/payouts/unknown', otherOmsKey).catch(() => 0);
      await vi.waitUntil(async () => (await another()) === 404, waiting);
      for (let turn = 0; turn < 10; turn += 1) {
        expect(await another()).toBe(404);
        expect(await statusFrom('127.0.0.2', url, '/v1/payouts/unknown', otherOmsKey)).toBe(404);
        expect(await statusFrom('127.0.0.2', url, '/healthz')).toBe(200);
      }
    },
  );
});

test('connections that are all at work leave the last ones to other addresses', async () => {
  const { url, requests } = await gatewayWith({ connections: 40 });
  connections(url, 36, wait());
  await vi.waitUntil(() => requests() === 36, waiting);
  for (const more of connections(url, 10, wait())) await closed(more);
  for (let turn = 0; turn < 5; turn += 1) {
    expect(await statusFrom('127.0.0.2', url, '/v1/payouts/unknown', otherOmsKey)).toBe(404);
  }
});

test.runIf(inFull())(
  'no answer outlives its time, whether it is waited for, not read, or read byte by byte',
  async () => {
    const { url, requests } = await gatewayWith({ answerMs: 1_500 });
    const [unread, slow] = [connections(url, 1, large), connections(url, 1, large)].flat();
    keepDoing(() => void slow?.read(64));
    await vi.waitUntil(() => requests() === 32, waiting);
    const [waits] = connections(url, 1, wait());
    let text = '';
    waits?.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await closed(waits);
    expect(text).toBe('');
    // Theirs were over before. What has left the gateway till then is read now, and is not all.
    const whole = 16 * Number((await stack.call('GET', bundle)).headers['content-length']);
    for (const socket of [unread, slow]) {
      await closed(socket);
      expect(socket?.bytesRead).toBeLessThan(whole);
    }
  },
);

test('a key has so many requests under way; probes, postbacks and all others are answered', async () => {
  const { url } = await gatewayWith({ requestsAtOnce: 16 });
  const read = (key: string | null) => call(url, 'GET', '/v1/payouts/unknown', { key });
  connections(url, 16, wait());
  const tooMany = { status: 429, headers: { 'retry-after': '1' } };
  await expect.poll(() => read(omsKey)).toMatchObject(tooMany);
  expect((await read(otherOmsKey)).status).toBe(404);
  expect((await read(null)).status).toBe(401);
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    expect((await call(url, 'GET', path, { key: null })).status).toBe(200);
  }
  const postback = `/postbacks/${postbackCapability([postbackKey], payout.workflowId)}`;
  expect((await call(url, 'POST', postback, { key: null })).status).toBe(200);
});

test('a key that waits too often is answered at once with the state as it is, and others still wait', async () => {
  const { url } = await gatewayWith({ waitsAtOnce: 10 });
  const { path, workflowId } = await submittingPayout();
  const headers = { prefer: 'wait=30' };
  const seen: string[] = [];
  const waits = (key: string) =>
    call(url, 'GET', `${path}?until=claimed`, { key, headers }).then(({ body: { status } }) => {
      seen.push(String(status));
      return String(status);
    });
  const ofOther = waits(operatorKey);
  const all = Promise.all(Array.from({ length: 12 }, () => waits(omsKey)));
  await vi.waitUntil(() => seen.length === 2, waiting);
  // A start is not refused either.
  const start = await call(url, 'POST', '/v1/payouts/pix', { body: pixPayout(), headers });
  expect(start).toMatchObject({ status: 202, body: { status: 'submitting' } });
  expect(seen).toEqual(['submitting', 'submitting']);
  await stack.change(workflowId, { status: 'claimed' });
  expect((await all).filter((status) => status === 'claimed')).toHaveLength(10);
  expect(await ofOther).toBe('claimed');
});
