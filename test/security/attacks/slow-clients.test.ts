import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { defaultPayloadConverter } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { postbackCapability } from '../../../src/contract/postback-capability.js';
import { payoutInput } from '../../../src/contract/payout.js';
import type { GatewayLimits } from '../../../src/gateway/deps.js';
import { startedPayout } from '../../../src/gateway/payments/started-states.js';
import { omsKey, otherOmsKey, postbackKey } from '../../gateway/call.js';
import { pixPayout } from '../../gateway/requests.js';
import { ownGateway } from '../../support/gateway-without-temporal.js';
import { inFull } from '../../support/tools.js';
import { waiting } from '../../support/waiting.js';
import { connections } from '../../support/sockets.js';

/** None but what a test sets closes a connection: nobody is too long idle. */
const patient = { idleMs: 600_000, keepAliveMs: 600_000, requestMs: 600_000 };
const apiKeys = Object.entries({ shop: omsKey, market: otherOmsKey }).map(([name, key]) => ({
  ...{ name, key },
  scopes: ['oms', 'operator'] as const,
}));

/** A gateway before one payout, `rent`, that is as the test says; how many requests have come in. */
async function gatewayWith(limits: Partial<GatewayLimits>) {
  let status = 'submitting';
  const unknown = () =>
    Promise.reject(Object.assign(new Error('unknown'), { code: 5, details: '', metadata: new Map() }));
  const ofRent =
    <Answer>(answer: () => Answer) =>
    ({ execution }: { execution: { workflowId: string } }) =>
      execution.workflowId === 'payout-rent' ? Promise.resolve(answer()) : unknown();
  const execution = { workflowId: 'payout-rent', runId: 'run' };
  const state = startedPayout(payoutInput.parse({ ...pixPayout('rent'), method: 'pix' }), 0);
  const { app, call, url } = await ownGateway(
    { apiKeys, limits: { ...patient, ...limits } },
    {
      getSystemInfo: () => Promise.resolve({}),
      signalWorkflowExecution: () => Promise.resolve({}),
      startWorkflowExecution: () => Promise.resolve({ runId: 'run' }),
      describeWorkflowExecution: ofRent(() => ({
        workflowExecutionInfo: {
          ...{ execution, startTime: msToTs(1), type: { name: 'payout' }, status: 1 },
          historyLength: { toNumber: () => 4 },
        },
      })),
      queryWorkflow: ofRent(() => ({
        queryResult: { payloads: [defaultPayloadConverter.toPayload({ ...state, status })] },
      })),
    },
  );
  let requests = 0;
  app.server.on('request', () => (requests += 1));
  return { call, url, requests: () => requests, becomes: (next: string) => (status = next) };
}

/** Does it again and again, until the test is over. */
function keepDoing(act: () => void): void {
  const timer = setInterval(act, 20);
  onTestFinished(() => {
    clearInterval(timer);
  });
}

/** The status that a new connection of this address is answered with. */
async function statusFrom(localAddress: string, url: string, path: string): Promise<number> {
  const headers = { authorization: `Bearer ${otherOmsKey}` };
  const sent = request(url + path, { localAddress, agent: false, headers }).end();
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  answer.resume();
  return answer.statusCode ?? 0;
}

const unknownPayout = '/v1/payouts/unknown';
const signed = (method: string, path: string, more = ''): string =>
  `${method} ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${omsKey}\r\n${more}\r\n`;
const bundle = '/docs/static/swagger-ui-bundle.js';
/** More than the buffers of a connection hold. */
const large = signed('GET', bundle).repeat(16);
const wait = signed('GET', '/v1/payouts/rent?until=done', 'Prefer: wait=30\r\n');
const body = 'Content-Type: application/json\r\nContent-Length: 60000\r\n';

describe('twice as many connections of one key as there may be,', () => {
  const unlimited = { requestsAtOnce: 100_000, waitsAtOnce: 100_000 };
  const read = (socket: Socket) => void socket.read();
  const kinds: [string, Partial<GatewayLimits>, string, (socket: Socket) => void][] = [
    ['that read nothing of a large answer', unlimited, large, () => undefined],
    ['that read 64 bytes of it at a time', unlimited, large, (socket) => void socket.read(64)],
    ['that wait for a status', { requestsAtOnce: 16 }, wait, read],
    ['that send a thousand requests at once', unlimited, wait.repeat(1_000), read],
    ['that stay when they are answered', unlimited, signed('GET', '/healthz'), read],
    [
      'that send their body byte by byte',
      unlimited,
      signed('POST', '/v1/cards', body),
      (socket) => void socket.write(' '),
    ],
  ];
  // The places are given in one way, whatever a connection does there.
  test.each(inFull() ? kinds : kinds.filter(([what]) => what === 'that wait for a status'))(
    '%s, keep neither another key nor another address out',
    async (_, limits, sent, act) => {
      const { url, requests } = await gatewayWith({ ...limits, connections: 40 });
      const attackers = connections(url, 80, sent);
      keepDoing(() => {
        for (const socket of attackers) act(socket);
      });
      // As many as may be stay open, and have sent what they have to.
      await vi.waitUntil(() => requests() >= 36 * (sent === large ? 16 : 1), waiting);
      // Until their answers are on their way, they are at work.
      const another = () => statusFrom('127.0.0.1', url, unknownPayout).catch(() => 0);
      await vi.waitUntil(async () => (await another()) === 404, waiting);
      for (let turn = 0; turn < 10; turn += 1) {
        expect(await another()).toBe(404);
        expect(await statusFrom('127.0.0.2', url, unknownPayout)).toBe(404);
        expect(await statusFrom('127.0.0.2', url, '/healthz')).toBe(200);
      }
    },
  );
});

test('a key has so many requests under way; probes, postbacks and all others are answered', async () => {
  const { call, url } = await gatewayWith({ requestsAtOnce: 16 });
  const read = (key: string | null) => call('GET', unknownPayout, { key });
  connections(url, 16, wait);
  const tooMany = { status: 429, headers: { 'retry-after': '1' } };
  await expect.poll(() => read(omsKey)).toMatchObject(tooMany);
  expect((await read(otherOmsKey)).status).toBe(404);
  expect((await read(null)).status).toBe(401);
  for (const path of ['/healthz', '/readyz', '/metrics'])
    expect((await call('GET', path, { key: null })).status).toBe(200);
  const postback = `/postbacks/${postbackCapability([postbackKey], 'payout-rent')}`;
  expect((await call('POST', postback, { key: null })).status).toBe(200);
});

test('a key that waits too often is answered at once with the state as it is, and others still wait', async () => {
  const { becomes, call } = await gatewayWith({ waitsAtOnce: 10 });
  const headers = { prefer: 'wait=30' };
  const seen: string[] = [];
  const waits = (key: string) =>
    call('GET', '/v1/payouts/rent?until=claimed', { key, headers }).then(({ body: { status } }) => {
      seen.push(String(status));
      return String(status);
    });
  const ofOther = waits(otherOmsKey);
  const all = Promise.all(Array.from({ length: 12 }, () => waits(omsKey)));
  await vi.waitUntil(() => seen.length === 2, waiting);
  // A start is not refused either.
  const start = await call('POST', '/v1/payouts/pix', { body: pixPayout('rent'), headers });
  expect(start).toMatchObject({ status: 202, body: { status: 'submitting' } });
  expect(seen).toEqual(['submitting', 'submitting']);
  becomes('claimed');
  expect((await all).filter((status) => status === 'claimed')).toHaveLength(10);
  expect(await ofOther).toBe('claimed');
});
