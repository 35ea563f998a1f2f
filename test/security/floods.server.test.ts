import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createActivities } from '../../activities/index.js';
import { CardStore } from '../../src/card-store/card-store.js';
import { postbackCapability } from '../../src/contract/postback-capability.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import type { GatewayDeps } from '../../src/gateway/deps.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { startSandbox } from '../../src/dev/sandbox/server.js';
import { newCode, pixPayout } from '../gateway/requests.js';
import { omsKey, postbackKey } from '../gateway/test-gateway.js';
import { neverOverloaded } from '../support/never-overloaded.js';
import { ownTokens } from '../support/own-tokens.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { connectDevServer } from '../support/temporal-dev-server.js';
import { waiting } from '../support/waiting.js';
import { workflowBundle } from '../support/workflow-bundle.js';
import { lookForEarlierRun } from '../../src/temporal/earlier-runs.js';
import { markSending } from '../../src/temporal/mark-sending.js';
import { noneLingers } from '../support/none-lingers.js';

/** A hundred thousand by `npm run test:floods`. */
const forgedCount = Number(process.env.FLOOD ?? 2_000);
const genuineCount = forgedCount;
// How long so many take is the machine's affair.
const boundMs = 900_000;
vi.setConfig({ testTimeout: boundMs });

function depsOf(client: Client, more: Partial<GatewayDeps> = {}): GatewayDeps {
  return {
    client,
    cardStore: new CardStore('card-store-flooded'),
    apiKeys: [{ name: 'shop', key: omsKey, scopes: ['oms'] }],
    postbackKeys: [postbackKey],
    logger: pino({ level: 'silent' }),
    audit: () => undefined,
    taskQueue: 'none',
    limits: neverOverloaded,
    ...more,
  };
}

/** Runs something so many times, some of it side by side. */
async function times(count: number, atOnce: number, run: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const runRest = async () => {
    while (next < count) {
      next += 1;
      await run(next);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runRest));
}

test(`${String(forgedCount)} forged postbacks are refused without a single connection to Temporal`, async () => {
  let connections = 0;
  const temporal = createServer((socket) => {
    connections += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(temporal, 'listening');
  const { port } = temporal.address() as AddressInfo;
  const connection = Connection.lazy({ address: `127.0.0.1:${String(port)}` });
  const app = createGateway(
    depsOf(new Client({ connection }), { limits: { ...neverOverloaded, temporalCallMs: 200 } }),
  );
  onTestFinished(async () => {
    await app.close();
    await connection.close();
    temporal.close();
  });

  const id = Buffer.from('payout-someone-elses').toString('base64url');
  const statuses = new Set<number>();
  await times(forgedCount, 50, async () => {
    const url = `/postbacks/${id}.${randomBytes(32).toString('base64url')}`;
    statuses.add((await app.inject({ method: 'POST', url, payload: '{"status":"done"}' })).statusCode);
  });
  expect(statuses).toEqual(new Set([404]));
  expect(connections).toBe(0);

  const genuine = `/postbacks/${postbackCapability([postbackKey], 'payout-mine')}`;
  // Each tries for a moment only: on a slow machine the first may be over before its connection is.
  await vi.waitUntil(async () => {
    expect((await app.inject({ method: 'POST', url: genuine })).statusCode).toBe(503);
    return connections > 0;
  }, waiting);
});

test(`${String(genuineCount)} genuine postbacks to one payment add fewer than 300 events and lose no change`, async () => {
  const server = await connectDevServer();
  const account = { clientId: 'flood', clientSecret: 'flood-secret' };
  const sandbox = await startSandbox({ ...account, progress: 'manual' });
  sandbox.postbacks('off');
  const service = createPaymentsService({ ...account, baseUrl: sandbox.url });
  const worker = await Worker.create({
    ...server.place,
    taskQueue: server.taskQueue,
    workflowBundle: workflowBundle(),
    dataConverter: testDataConverter,
    activities: createActivities({
      service,
      tokens: ownTokens(service),
      publicUrl: 'http://127.0.0.1:9',
      earlierRun: (run) => lookForEarlierRun(server.client, run, 10_000),
      now: () => Date.now(),
      markSending: (taskToken) => markSending(server.client, taskToken, 10_000),
      lingerers: noneLingers(),
      postbackKeys: [postbackKey],
    }),
  });
  const running = worker.run();
  const app = createGateway(depsOf(server.client, { taskQueue: server.taskQueue, pollScale: 1 }));
  onTestFinished(async () => {
    await app.close();
    await server.client.workflow
      .getHandle(workflowId)
      .terminate()
      .catch(() => undefined);
    worker.shutdown();
    await running;
    await service.close();
    await sandbox.close();
    await server.close();
  });

  const code = newCode();
  const workflowId = `payout-${code}`;
  const headers = { authorization: `Bearer ${omsKey}`, prefer: 'wait=30' };
  const statusWhen = async (until: string) => {
    const answer = await app.inject({ url: `/v1/payouts/${code}?until=${until}`, headers });
    return answer.json<{ status: string }>().status;
  };
  await app.inject({ method: 'POST', url: '/v1/payouts/pix', headers, payload: pixPayout(code) });
  await expect.poll(() => statusWhen('claimed'), { timeout: boundMs }).toBe('claimed');
  const before = await eventsOf(server.client, workflowId);

  const url = `/postbacks/${postbackCapability([postbackKey], workflowId)}`;
  const statuses = new Set<number>();
  // A thousand of them are made to wait for their signal; whoever comes beyond is answered at once.
  await times(genuineCount, 1_100, async (number) => {
    if (number === genuineCount / 2) sandbox.setPayoutStatus(code, 'processing');
    if (number === genuineCount - 1) sandbox.setPayoutStatus(code, 'done');
    statuses.add((await app.inject({ method: 'POST', url, payload: `number ${String(number)}` })).statusCode);
  });
  // What Temporal does not take in time on a slow machine is 503, and the service posts it again.
  statuses.delete(503);
  expect(statuses).toEqual(new Set([200]));
  await expect.poll(() => statusWhen('done'), { timeout: boundMs }).toBe('done');
  expect((await eventsOf(server.client, workflowId)) - before).toBeLessThan(300);
});

/** The events of all runs of a workflow. */
async function eventsOf(client: Client, workflowId: string): Promise<number> {
  let events = 0;
  let runId: string | undefined;
  do {
    const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    events += history.events?.length ?? 0;
    const first = history.events?.[0]?.workflowExecutionStartedEventAttributes;
    runId = first?.continuedExecutionRunId ?? '';
  } while (runId !== '');
  return events;
}
