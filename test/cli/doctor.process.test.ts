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
async function namespaceOf(retentionDays: number): Promise<Settings> {
  const name = `doctor-${randomUUID()}`;
  await connection.workflowService.registerNamespace({
    namespace: name,
    workflowExecutionRetentionPeriod: { seconds: (retentionDays * 86_400) as never },
  });
  const found = () =>
    connection.workflowService.listWorkflowExecutions({ namespace: name, pageSize: 1 }).catch(() => null);
  await vi.waitUntil(found, waiting);
  return { TEMPORAL_NAMESPACE: name };
}

test('a deployment that works passes every check, and its workers’ versions are shown', async () => {
  const { ok, checks } = await doctor();
  expect(checks.filter((check) => !check.ok)).toEqual([]);
  expect(ok).toBe(true);
  expect(checks.find(({ name }) => name === 'workers')?.detail).toContain('durable-payments/');
});

const nowhere = async () => `http://127.0.0.1:${String(await ownPort())}`;
type Settings = Record<string, string>;

/** Each fault, the check that finds it, what its action names, and what is set to plant it. */
test.for<[string, string, string, () => Promise<Settings> | Settings]>([
  ['a setting that is missing', 'configuration', 'docs/configuration.md', () => ({ PUBLIC_URL: '' })],
  [
    ...(['a Temporal that does not answer', 'temporal', 'TEMPORAL_ADDRESS'] as const),
    async () => ({ TEMPORAL_ADDRESS: (await nowhere()).slice(7) }),
  ],
  ['no such namespace', 'namespace', 'namespace create', () => ({ TEMPORAL_NAMESPACE: 'nowhere' })],
  ['too short a retention', 'namespace', '--retention 30d', () => namespaceOf(1)],
  ['no search attributes', 'search_attributes', 'search-attribute create', () => namespaceOf(30)],
  ['no workers', 'workers', 'Start workers', () => ({ PAYMENTS_TASK_QUEUE: `none-${randomUUID()}` })],
  ['no payload keys', 'payload_keys', 'PAYLOAD_KEYS', () => ({ PAYLOAD_KEYS: 'none' })],
  ['payload keys of others', 'payload_keys', 'PAYLOAD_KEYS', () => ({ PAYLOAD_KEYS: key() })],
  [
    ...(['a wrong client secret', 'service_login', 'PAYMENTS_CLIENT_SECRET'] as const),
    () => ({ PAYMENTS_CLIENT_SECRET: 'wrong' }),
  ],
  [
    ...(['a service that is not reached', 'service', 'PAYMENTS_BASE_URL'] as const),
    async () => ({ PAYMENTS_BASE_URL: await nowhere() }),
  ],
  ['a public address of others', 'public_url', '/postbacks/', () => ({ PUBLIC_URL: strangersUrl })],
  [
    ...(['a webhook that is not reached', 'webhooks', 'NOTIFY_TARGETS'] as const),
    async () => ({
      NOTIFY_TARGETS: `shop=${await nowhere()}/hook`,
      NOTIFY_SECRETS: `shop=whsec_${randomBytes(32).toString('base64')}`,
    }),
  ],
])('%s is found by the check %s, which names %s', async ([, check, action, plant]) => {
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
