import { randomBytes } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { createDataConverter } from '../../src/temporal/data-converter.js';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { ownPort } from '../support/own-port.js';
import { hasPromtool, promtool } from '../support/promtool.js';
import { whereThereIs } from '../support/tools.js';
import { longTests, waiting, waitingLong } from '../support/waiting.js';
import { deploy, type Deployment } from './support/deployment.js';

vi.setConfig(longTests);

const metricsPort = await ownPort();
let deployment: Deployment;
let starting: Promise<unknown> | undefined;

beforeAll(async () => {
  deployment = await deploy();
  await deployment.gateway();
});
afterAll(() => deployment.close());

const readiness = z.object({
  status: z.string(),
  problems: z.array(z.object({ check: z.string(), detail: z.string(), action: z.string() })),
});

/** What /readyz answers once it reports this, by the status 200 that keeps the gateway in its balancer. */
function readyzUntil(
  wanted: (answer: z.infer<typeof readiness>) => boolean,
  within: { timeout: number } = waiting,
) {
  return vi.waitUntil(
    async () => {
      const response = await fetch(`${deployment.url}/readyz`);
      expect(response.status).toBe(200);
      const answer = readiness.parse(await response.json());
      return wanted(answer) && answer;
    },
    { ...waiting, ...within },
  );
}

/** The worker of all tests, from the first that needs one. */
async function aWorker(): Promise<void> {
  starting ??= deployment.worker({ METRICS_PORT: String(metricsPort) });
  await starting;
}

async function metricsOf(url: string): Promise<string> {
  return (await fetch(`${url}/metrics`)).text();
}

test('a gateway reports that there is no worker, and that there is one again, while it stays ready', async () => {
  const { problems } = await readyzUntil(({ status }) => status === 'degraded');
  expect(problems[0]).toMatchObject({ check: 'workers' });
  expect(await metricsOf(deployment.url)).toContain('durable_payments_problem{check="workers"} 1');
  await aWorker();
  await readyzUntil(({ status }) => status === 'ready');
  expect(await metricsOf(deployment.url)).toContain('durable_payments_problem{check="workers"} 0');
});

test('gateway and worker show the metrics of this program and of the Temporal SDK', async () => {
  await aWorker();
  await readyzUntil(({ status }) => status === 'ready');
  const gateway = await metricsOf(deployment.url);
  for (const name of [
    ...['payments', 'attention', 'oldest_attention_seconds', 'oldest_unsent_seconds', 'worker_pollers'],
    ...[
      'postbacks_total',
      'starts_total',
      'card_store_cards',
      'event_loop_delay_seconds',
      'token_remaining_seconds',
    ],
  ]) {
    expect(gateway).toContain(`\n# TYPE durable_payments_${name} `);
  }
  const worker = await metricsOf(`http://127.0.0.1:${String(metricsPort)}`);
  expect(worker).toContain(
    'durable_payments_service_calls_total{endpoint="POST /v1/auth",outcome="answered"}',
  );
  for (const text of [gateway, worker]) {
    expect(text).toContain('temporal_num_pollers');
    expect(text).toContain('\n# TYPE durable_payments_output_unread gauge\n');
  }
});

const testByPromtool = test.runIf(whereThereIs('promtool', hasPromtool));

testByPromtool('promtool finds nothing to complain about in them', async () => {
  await aWorker();
  for (const url of [deployment.url, `http://127.0.0.1:${String(metricsPort)}`]) {
    expect(promtool(['check', 'metrics'], await metricsOf(url))).toEqual({ code: 0, output: '' });
  }
});

// Last, for it takes the twenty seconds of a worker, and those of a gateway.
test('a payment whose tasks the worker fails is reported by the gateway', async () => {
  await aWorker();
  const { env } = deployment;
  const connection = await Connection.connect({ address: env.TEMPORAL_ADDRESS ?? '' });
  onTestFinished(() => connection.close());
  const dataConverter = createDataConverter(parseKeyRing(`other:${randomBytes(32).toString('base64')}`));
  const client = new Client({ connection, namespace: env.TEMPORAL_NAMESPACE ?? '', dataConverter });
  const workflowId = 'payout-under-another-key';
  await client.workflow.start('payout', { workflowId, taskQueue: env.PAYMENTS_TASK_QUEUE ?? '', args: [{}] });
  const isIt = ({ check }: { check: string }) => check === 'workflow_tasks';
  const { problems } = await readyzUntil((answer) => answer.problems.some(isIt), waitingLong);
  expect(problems.find(isIt)?.detail).toContain('Workers fail the workflow tasks of 1 workflow');
  // No key is needed to read it.
  expect(JSON.stringify(problems)).not.toContain(workflowId);
});
