import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { ownPort } from '../support/own-port.js';
import { pixPayout } from '../processes/support/oms.js';
import { deploy, type Deployment } from '../processes/support/deployment.js';
import { runToEnd } from '../processes/support/program.js';
import { run } from './support/command-line.js';
import { waiting } from '../support/waiting.js';

const report = z.object({
  ok: z.boolean(),
  checks: z.array(
    z.object({ name: z.string(), ok: z.boolean(), detail: z.string(), action: z.string().nullable() }),
  ),
});

let deployment: Deployment;
let connection: Connection;
let stranger: ReturnType<typeof createServer>;
let strangersUrl: string;

beforeAll(async () => {
  deployment = await deploy();
  await deployment.worker();
  await deployment.gateway();
  await deployment.oms.post('/v1/payouts/pix', pixPayout('examined'));
  await deployment.oms.until('/v1/payouts/examined', 'done');
  connection = await Connection.connect({ address: deployment.env.TEMPORAL_ADDRESS ?? '' });
  stranger = createServer((_request, response) => response.end('hello'));
  await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening));
  const address = stranger.address();
  strangersUrl = `http://127.0.0.1:${String(typeof address === 'object' ? address?.port : '')}`;
});
afterAll(async () => {
  stranger.close();
  await connection.close();
  await deployment.close();
});

async function doctor(settings: Readonly<Record<string, string>> = {}, inAProcess = false) {
  const examine = inAProcess ? runToEnd : run;
  const { code, output } = await examine(['doctor', '--json'], { ...deployment.env, ...settings });
  const { ok, checks } = report.parse(JSON.parse(output));
  expect({ ok, code }).toEqual(ok ? { ok, code: 0 } : { ok, code: 1 });
  return { ok, checks, failing: checks.filter((check) => !check.ok) };
}

const key = () => `other:${randomBytes(32).toString('base64')}`;

/** A namespace of its own, without the search attributes. */
async function namespace(retentionDays: number): Promise<string> {
  const name = `doctor-${randomUUID()}`;
  await connection.workflowService.registerNamespace({
    namespace: name,
    workflowExecutionRetentionPeriod: { seconds: (retentionDays * 86_400) as never },
  });
  const found = () =>
    connection.workflowService.listWorkflowExecutions({ namespace: name, pageSize: 1 }).catch(() => null);
  await vi.waitUntil(found, waiting);
  return name;
}

test('a deployment that works passes every check, and its workers’ versions are shown', async () => {
  const { ok, checks } = await doctor();
  expect(checks.filter((check) => !check.ok)).toEqual([]);
  expect(ok).toBe(true);
  expect(checks.find(({ name }) => name === 'workers')?.detail).toContain('durable-payments/');
});

const nowhere = async () => `http://127.0.0.1:${String(await ownPort())}`;
type Settings = Record<string, string>;

/** Each fault, what is set to plant it, the check that finds it, and what its action names. */
test.for<[string, () => Promise<Settings> | Settings, string, string]>([
  ['a setting that is missing', () => ({ PUBLIC_URL: '' }), 'configuration', 'docs/configuration.md'],
  [
    'a Temporal that does not answer',
    async () => ({ TEMPORAL_ADDRESS: (await nowhere()).slice(7) }),
    ...(['temporal', 'TEMPORAL_ADDRESS'] as const),
  ],
  [
    'a namespace that is not there',
    () => ({ TEMPORAL_NAMESPACE: 'nowhere' }),
    ...(['namespace', 'namespace create'] as const),
  ],
  [
    'a retention that is too short',
    async () => ({ TEMPORAL_NAMESPACE: await namespace(1) }),
    ...(['namespace', '--retention 30d'] as const),
  ],
  [
    'search attributes that are missing',
    async () => ({ TEMPORAL_NAMESPACE: await namespace(30) }),
    ...(['search_attributes', 'search-attribute create'] as const),
  ],
  [
    'a task queue without workers',
    () => ({ PAYMENTS_TASK_QUEUE: `none-${randomUUID()}` }),
    ...(['workers', 'Start workers'] as const),
  ],
  ['no payload keys where others encrypt', () => ({ PAYLOAD_KEYS: 'none' }), 'payload_keys', 'PAYLOAD_KEYS'],
  ['payload keys of someone else', () => ({ PAYLOAD_KEYS: key() }), 'payload_keys', 'PAYLOAD_KEYS'],
  [
    'a wrong client secret',
    () => ({ PAYMENTS_CLIENT_SECRET: 'wrong' }),
    ...(['service_login', 'PAYMENTS_CLIENT_SECRET'] as const),
  ],
  [
    'a service that is not reached',
    async () => ({ PAYMENTS_BASE_URL: await nowhere() }),
    ...(['service', 'PAYMENTS_BASE_URL'] as const),
  ],
  [
    'a public address that leads elsewhere',
    () => ({ PUBLIC_URL: strangersUrl }),
    ...(['public_url', '/postbacks/'] as const),
  ],
  [
    'a webhook that is not reached',
    async () => ({
      NOTIFY_TARGETS: `shop=${await nowhere()}/hook`,
      NOTIFY_SECRETS: `shop=whsec_${randomBytes(32).toString('base64')}`,
    }),
    ...(['webhooks', 'NOTIFY_TARGETS'] as const),
  ],
])('%s is found, with what to do', async ([, plant, check, action]) => {
  const { failing } = await doctor(await plant());
  expect(failing.find(({ name }) => name === check)?.action).toContain(action);
});

test('of a configuration with a fault nothing is called ok that was not read', async () => {
  const { checks, failing } = await doctor({ PUBLIC_URL: '"https://shop.example.com"' });
  expect(failing.map(({ name }) => name)).toContain('configuration');
  expect(checks.map(({ name }) => name)).not.toContain('public_url');
  expect(checks.map(({ name }) => name)).not.toContain('service_login');
});

test('a clock that is wrong is found, with what to do', async () => {
  const aMinuteFast = `--import ${fileURLToPath(new URL('./support/fast-clock.mjs', import.meta.url))}`;
  const { failing } = await doctor({ NODE_OPTIONS: aMinuteFast }, true);
  expect(failing.find(({ name }) => name === 'clock')?.action).toContain('NTP');
});

test('a Schedule that was paused is found, with what to do, and shown above all that needs attention', async () => {
  const { PAYMENTS_TASK_QUEUE: taskQueue } = deployment.env;
  const schedule = new Client({
    connection,
    namespace: deployment.env.TEMPORAL_NAMESPACE ?? '',
  }).schedule.getHandle(`payout-reconciliation-${taskQueue ?? ''}`);
  await schedule.pause('by hand');
  onTestFinished(() => schedule.unpause());
  const { failing } = await doctor();
  expect(failing.map(({ name }) => name)).toEqual(['reconciliation']);
  expect(failing[0]?.action).toContain('unpause');
  const { output } = await run(['attention'], deployment.env);
  expect(output).toMatch(/^reconciliation: The Schedule\s+payout-reconciliation-\S+ is\s+paused[^]*unpause/m);
});
