import { createServer } from 'node:net';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { PayloadKeysError, provePayloadKeys } from '../../src/health/prove-payload-keys.js';
import { startWorkerProcess } from '../../src/processes/worker.js';
import { reconciliationSchedules } from '../../src/temporal/reconciliation-schedules.js';
import { worker } from '../config/support.js';
import { listening } from '../support/listening.js';
import { connectDevServer } from '../support/temporal-dev-server.js';

test('a worker with other keys serves no metrics before it ends', async () => {
  const server = await connectDevServer();
  const { address, client, namespace, taskQueue } = server;
  await provePayloadKeys(client, taskQueue);
  const [{ scheduleId }] = reconciliationSchedules(taskQueue);
  // Whoever serves at this port fails by that.
  const taken = createServer();
  const { port } = await listening(taken);
  onTestFinished(async () => {
    taken.close();
    await client.schedule.getHandle(scheduleId).delete();
    await server.close();
  });
  const place = { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, PAYMENTS_TASK_QUEUE: taskQueue };
  const config = loadConfig({ ...worker, ...place, METRICS_PORT: String(port) }, 'worker');
  const metrics = { registry: new Registry(), sdk: { text: () => Promise.resolve('') } };
  const starting = startWorkerProcess(config, pino({ level: 'silent' }), metrics as never);
  await expect(starting).rejects.toThrow(PayloadKeysError);
});
