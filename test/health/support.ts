import { randomUUID } from 'node:crypto';
import { onTestFinished, test as base, vi } from 'vitest';
import { ownPayments } from '../../src/client/own-payments.js';
import { startSandbox } from '../../src/dev/sandbox/server.js';
import { viewFleet, type FleetTarget, type FleetView } from '../../src/health/fleet.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { paymentQueues } from '../../src/processes/payment-queues.js';
import {
  ensureReconciliationSchedules,
  reconciliationSchedules,
} from '../../src/temporal/reconciliation-schedules.js';
import { createTokenSource, tokenRenewalId } from '../../src/temporal/token-source.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { connectDevServer } from '../support/temporal-dev-server.js';
import { waiting } from '../support/waiting.js';
import { sendingOn, startWorkers, turns } from '../support/workers.js';
import { workflowBundle } from '../support/workflow-bundle.js';

const clientId = 'shop';
const clientSecret = 'a-secret';

type Given = { dataConverter?: typeof testDataConverter; secret?: string };

/** Tests of a server and a sandbox that their file shares; each has a deployment on a task queue of its own. */
export const test = base
  // eslint-disable-next-line no-empty-pattern -- vitest reads the names of fixtures from the pattern
  .extend('shared', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await connectDevServer();
    const sandbox = await startSandbox({ clientId, clientSecret });
    onCleanup(async () => {
      await sandbox.close();
      await server.close();
    });
    return { server, sandbox };
  })
  .extend('server', ({ shared }) => shared.server)
  .extend('sandbox', ({ shared: { sandbox } }, { onCleanup }) => {
    onCleanup(() => sandbox.clearFaults());
    return sandbox;
  })
  /** Its workers and Schedules are started by the test; each fault is one of its parts made wrong. */
  .extend('deployment', ({ sandbox, server: { client, place } }, { onCleanup }) => {
    /** The last one first. */
    const ends: (() => Promise<unknown>)[] = [];
    onCleanup(async () => {
      for (const end of ends.toReversed()) await end();
    });
    const taskQueue = `health-${randomUUID()}`;
    const account = { baseUrl: sandbox.url, clientId: taskQueue, clientSecret };
    const tokens = createTokenSource({ ...account, client, taskQueue, now: () => Date.now() });
    const target: FleetTarget = {
      ...{ client, taskQueue, baseUrl: sandbox.url, cardTaskQueue: null },
      tokenRenewalId: tokenRenewalId(sandbox.url, taskQueue),
    };
    return {
      taskQueue,
      target,
      needToken: () => tokens.current().catch(() => undefined),
      /** Answers what stops them. */
      startWorkers: async ({ dataConverter = testDataConverter, secret = clientSecret }: Given = {}) => {
        const service = createPaymentsService({ baseUrl: sandbox.url, clientId, clientSecret: secret });
        const token = { service, clientSecret, now: () => Date.now() };
        const sending = sendingOn(client, service);
        const deps = {
          ...{ sending, own: { ...sending, ...ownPayments(client, taskQueue) }, turns, token },
          notifications: { webhooks: { deliver: () => Promise.reject(new Error('no webhook')) } },
        };
        const { main, ...others } = paymentQueues;
        const stopWorkers = await startWorkers({ ...place, dataConverter }, [
          { ...main(taskQueue, deps), workflowBundle: workflowBundle() },
          ...Object.values(others).map((queue) => queue(taskQueue, deps)),
        ]);
        let stopped: Promise<void> | undefined;
        const stop = async () => {
          await stopWorkers();
          await service.close();
        };
        const stopOnce = () => (stopped ??= stop());
        ends.push(stopOnce);
        return stopOnce;
      },
      /** Answers the first of them, and how often it runs. */
      startSchedules: async () => {
        const schedules = reconciliationSchedules(taskQueue);
        const handleOf = ({ scheduleId }: { scheduleId: string }) => client.schedule.getHandle(scheduleId);
        ends.push(() => Promise.all(schedules.map((each) => handleOf(each).delete())));
        await ensureReconciliationSchedules(client, taskQueue);
        return { every: schedules[0].every, schedule: handleOf(schedules[0]) };
      },
    };
  });

export const checksIn = ({ problems }: FleetView) => problems.map(({ check }) => check);

export function setClockAhead(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  onTestFinished(() => void vi.useRealTimers());
}

/** Looks again and again, as a gateway does, until it sees what is expected. */
export function untilSeen(target: FleetTarget, check: string): Promise<FleetView> {
  return vi.waitUntil(async () => {
    const view = await viewFleet(target);
    return checksIn(view).includes(check as never) && view;
  }, waiting);
}
