import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { expect } from 'vitest';
import { test as deployed } from './support/deployment.js';
import { createOms, pixPayout } from './support/oms.js';
import { runProgram, runToEnd, type Program } from './support/program.js';

const test = deployed.extend('worker', { scope: 'file' }, ({ deployment }) => deployment.worker());

/** What the audit stream of a program holds about this. */
const auditOf = (program: Program, about = ''): unknown[] =>
  program
    .output()
    .split('\n')
    .filter((line) => line.includes('"stream":"audit"') && line.includes(about))
    .map((line) => JSON.parse(line) as unknown);

test('a gateway whose log is all but silent prints who started what, and who was not let in', async ({
  deployment,
  onTestFinished,
}) => {
  const apiKey = randomBytes(16).toString('hex');
  const gateway = runProgram(['gateway'], {
    ...deployment.env,
    GATEWAY_PORT: new URL(deployment.url).port,
    API_KEYS: `shop:${apiKey}:oms:operator`,
    LOG_LEVEL: 'warn',
  });
  onTestFinished(() => gateway.end('SIGKILL').then(() => undefined));
  const isUp = () => fetch(`${deployment.url}/healthz`).then(({ ok }) => ok);
  await expect.poll(() => isUp().catch(() => false)).toBe(true);

  await createOms(deployment.url, apiKey).post('/v1/payouts/pix', pixPayout('audited'));
  await createOms(deployment.url, 'guessed-key').post('/v1/cards', {});
  await gateway.prints('"outcome":"unauthorized"');
  expect(auditOf(gateway)).toMatchObject([
    { key: 'shop', command: 'startPayout', workflow_id: 'payout-audited', outcome: 'started' },
    { key: null, command: 'POST /v1/cards', outcome: 'unauthorized' },
  ]);
  expect(gateway.output()).not.toContain('"level":"info"');
});

test('a worker prints what came to payments by Temporal alone, past the gateway, and who says that it was him', async ({
  deployment,
  onTestFinished,
  worker,
}) => {
  const dir = await mkdtemp(join(tmpdir(), 'durable-payments-audit-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const file = join(dir, 'payout.json');
  await writeFile(file, JSON.stringify(pixPayout('by-cli')));
  expect(await runToEnd(['payout', 'start', file], deployment.env)).toMatchObject({ code: 0 });
  await worker.prints('"command":"start payout"');
  await runToEnd(['payout', 'abandon', 'by-cli', '--reason', 'a test'], deployment.env);
  await worker.prints('"command":"abandonPayout"');
  const about = { address: 'temporal', workflow_id: 'payout-by-cli' };
  expect(auditOf(worker, about.workflow_id)).toMatchObject([
    { ...about, key: null, command: 'start payout', outcome: 'started' },
    { ...about, key: expect.stringMatching(/^cli /) as string, command: 'abandonPayout' },
  ]);
});

test('a worker prints that an SDK has started the workflow `notification`, and that it was refused', async ({
  deployment,
  onTestFinished,
  worker,
}) => {
  const { TEMPORAL_ADDRESS, TEMPORAL_NAMESPACE = '', PAYMENTS_TASK_QUEUE = '' } = deployment.env;
  const connection = await Connection.connect(
    TEMPORAL_ADDRESS === undefined ? {} : { address: TEMPORAL_ADDRESS },
  );
  onTestFinished(() => connection.close());
  const payment = { workflow_id: 'payout-never-started', status: 'done' };
  await new Client({ connection, namespace: TEMPORAL_NAMESPACE }).workflow.start('notification', {
    ...{ workflowId: 'notification-forged', taskQueue: PAYMENTS_TASK_QUEUE },
    args: [{ notify: { webhook: 'shop' }, notifications: [{ payment }] }],
  });
  await worker.prints('"outcome":"refused: NotOfPayment"');
  const about = { address: 'temporal', key: null, workflow_id: 'notification-forged' };
  expect(auditOf(worker, about.workflow_id)).toMatchObject([
    { ...about, command: 'start notification', outcome: 'started' },
    { ...about, command: 'start notification', outcome: 'refused: NotOfPayment' },
  ]);
});
