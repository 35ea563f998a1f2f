import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, onTestFinished, vi } from 'vitest';
import { ownPayments } from '../../src/client/own-payments.js';
import { startSandbox, type Sandbox } from '../../src/dev/sandbox/server.js';
import { viewFleet, type FleetTarget, type FleetView } from '../../src/health/fleet.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import { paymentQueues } from '../../src/processes/payment-queues.js';
import {
  ensureReconciliationSchedules,
  reconciliationSchedules,
} from '../../src/temporal/reconciliation-schedules.js';
import { createTokenSource, tokenRenewalId } from '../../src/temporal/token-source.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { connectDevServer, type DevServer } from '../support/temporal-dev-server.js';
import { waiting } from '../support/waiting.js';
import { sendingOn, startWorkers, turns } from '../support/workers.js';
import { workflowBundle } from '../support/workflow-bundle.js';

const clientId = 'shop';
const clientSecret = 'a-secret';

export let server: DevServer;
export let sandbox: Sandbox;
/** What a test has to end, the last one first. */
export const ends: (() => Promise<unknown>)[] = [];

/** For the top of a test file: a server and a sandbox, which its tests share. */
export function onServerAndSandbox(): void {
  beforeAll(async () => {
    server = await connectDevServer();
    sandbox = await startSandbox({ clientId, clientSecret });
  });
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  afterAll(async () => {
    await sandbox.close();
    await server.close();
  });
}

type Given = { dataConverter?: typeof testDataConverter; secret?: string };

/** A deployment on a task queue of its own, with its workers and Schedules; each fault is one of its parts made wrong. */
export function deployment() {
  const taskQueue = `health-${randomUUID()}`;
  const { place, client } = server;
  const tokenOf = (over: Client) =>
    createTokenSource({
      client: over,
      baseUrl: sandbox.url,
      clientId: taskQueue,
      clientSecret,
      taskQueue,
      now: () => Date.now(),
    });
  const target: FleetTarget = {
    ...{ client, taskQueue, baseUrl: sandbox.url, cardTaskQueue: null },
    tokenRenewalId: tokenRenewalId(sandbox.url, taskQueue),
  };
  return {
    taskQueue,
    target,
    needToken: () =>
      tokenOf(client)
        .current()
        .catch(() => undefined),
    startWorkers: async ({ dataConverter = testDataConverter, secret = clientSecret }: Given = {}) => {
      const service = createPaymentsService({ baseUrl: sandbox.url, clientId, clientSecret: secret });
      const token = { service, clientSecret, now: () => Date.now() };
      const sending = sendingOn(client, service);
      const deps = {
        ...{ sending, own: { ...sending, ...ownPayments(client, taskQueue) }, turns, token },
        notifications: { webhooks: { deliver: () => Promise.reject(new Error('no webhook')) } },
      };
      const { main, ...others } = paymentQueues;
      const stop = await startWorkers({ ...place, dataConverter }, [
        { ...main(taskQueue, deps), workflowBundle: workflowBundle() },
        ...Object.values(others).map((queue) => queue(taskQueue, deps)),
      ]);
      ends.push(async () => {
        await stop();
        await service.close();
      });
    },
    startSchedules: async () => {
      await ensureReconciliationSchedules(client, taskQueue);
      ends.push(() =>
        Promise.all(
          reconciliationSchedules(taskQueue).map(({ scheduleId }) =>
            client.schedule.getHandle(scheduleId).delete(),
          ),
        ),
      );
    },
  };
}

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
