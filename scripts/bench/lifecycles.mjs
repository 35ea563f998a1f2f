// How many payouts a second the program brings from submission to done, beside the floor of Temporal itself: an
// empty workflow, in the same run, on the same server. Prints both rates and their ratio. Usage: npm run bench [-- 300]
import { randomBytes, randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { Client } from '@temporalio/client';
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createActivities } from '../../dist/activities/index.js';
import { createPaymentsClient } from '../../dist/src/client.js';
import { createPaymentsService } from '../../dist/src/payments-service/create-payments-service.js';
import { startSandbox } from '../../dist/src/dev/sandbox/server.js';
import { createDataConverter } from '../../dist/src/temporal/data-converter.js';
import { startEmbeddedTemporal } from '../../dist/src/dev/embedded-temporal/server.js';
import { parseKeyRing } from '../../dist/src/temporal/key-ring.js';
import { ensureSearchAttributes } from '../../dist/src/temporal/search-attributes.js';

const count = Number(process.argv[2] ?? 300);
const rounds = 3;
const inFlight = 60;
const account = { clientId: 'bench', clientSecret: 'bench-secret' };

Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
const temporal = await startEmbeddedTemporal({ storage: 'memory', env: process.env });
const sandbox = await startSandbox({ ...account, timeScale: 0.001 });
const connection = await NativeConnection.connect({ address: temporal.address });
await ensureSearchAttributes(connection, temporal.namespace);
const dataConverter = createDataConverter(parseKeyRing(`bench:${randomBytes(32).toString('base64')}`));
const client = new Client({ connection, dataConverter });
const service = createPaymentsService({ ...account, baseUrl: sandbox.url });

try {
  await benchmark();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await service.close();
  await connection.close().catch(() => undefined);
  await sandbox.close();
  await temporal.stop();
}

async function benchmark() {
  const issued = await service.authenticate();
  if (issued.outcome !== 'answered') throw new Error('The sandbox gave no token.');
  const token = { token: issued.value.token, generation: 1 };
  const common = { connection, dataConverter, maxConcurrentWorkflowTaskExecutions: 200 };
  const floorWorker = await Worker.create({
    ...common,
    taskQueue: 'floor',
    workflowBundle: await bundleWorkflowCode({
      workflowsPath: fileURLToPath(new URL('./floor-workflow.mjs', import.meta.url)),
      logger: new DefaultLogger('ERROR'),
    }),
  });
  const payoutWorker = await Worker.create({
    ...common,
    taskQueue: 'payouts',
    workflowBundle: { codePath: fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url)) },
    activities: createActivities({
      service,
      tokens: { current: () => Promise.resolve(token), reject: () => Promise.resolve() },
      publicUrl: 'http://127.0.0.1:9',
      postbackKeys: [randomBytes(32)],
    }),
  });
  const payments = createPaymentsClient({ client, taskQueue: 'payouts', pollScale: 0.01, eagerStart: true });
  await floorWorker.runUntil(
    payoutWorker.runUntil(async () => {
      await rate(20, emptyWorkflow);
      await rate(20, () => payout(payments));
      for (let round = 1; round <= rounds; round += 1) {
        const floor = await rate(count, emptyWorkflow);
        const ours = await rate(count, () => payout(payments));
        console.log(
          `round ${round}: empty workflow ${floor.toFixed(0)}/s, payout to done ${ours.toFixed(0)}/s, ratio ${(ours / floor).toFixed(2)}`,
        );
      }
    }),
  );
}

async function emptyWorkflow() {
  await client.workflow.execute('floor', { taskQueue: 'floor', workflowId: randomUUID() });
}

/** POST, one timer, one GET, closed. */
async function payout(payments) {
  const partnerCode = randomUUID();
  await payments.startPayout({
    method: 'pix',
    partner_code: partnerCode,
    first_name: 'Maria',
    last_name: 'Silva',
    document: '52998224725',
    value: 10,
    pix: 'maria.silva@example.com',
    watch_days: 0,
  });
  const result = await client.workflow.getHandle(`payout-${partnerCode}`).result();
  if (result.status !== 'done') throw new Error(`A payout ended ${result.status}.`);
}

async function rate(total, once) {
  let left = total;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: Math.min(inFlight, total) }, async () => {
      while (left > 0) {
        left -= 1;
        await once();
      }
    }),
  );
  return (total * 1_000) / (performance.now() - begun);
}
