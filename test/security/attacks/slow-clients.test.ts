import { defaultPayloadConverter } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { expect, test, vi } from 'vitest';
import { postbackCapability } from '../../../src/contract/postback-capability.js';
import { payoutInput } from '../../../src/contract/payout.js';
import type { GatewayLimits } from '../../../src/gateway/deps.js';
import { startedPayout } from '../../../src/gateway/payments/started-states.js';
import { omsKey, otherOmsKey, postbackKey } from '../../gateway/call.js';
import { pixPayout } from '../../gateway/requests.js';
import { ownGateway } from '../../support/gateway-without-temporal.js';
import { waiting } from '../../support/waiting.js';
import { connections } from '../../support/sockets.js';

/** None but what a test sets closes a connection: nobody is too long idle. */
const patient = { idleMs: 600_000, keepAliveMs: 600_000, requestMs: 600_000 };
const apiKeys = Object.entries({ shop: omsKey, market: otherOmsKey }).map(([name, key]) => ({
  ...{ name, key },
  scopes: ['oms', 'operator'] as const,
}));

/** A gateway before one payout, `rent`, that is as the test says. */
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
  const { call, url } = await ownGateway(
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
  return { call, url, becomes: (next: string) => (status = next) };
}

const unknownPayout = '/v1/payouts/unknown';
const wait =
  'GET /v1/payouts/rent?until=done HTTP/1.1\r\nHost: a\r\n' +
  `Authorization: Bearer ${omsKey}\r\nPrefer: wait=30\r\n\r\n`;

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
