import type { Client } from '@temporalio/client';
import { request } from 'undici';
import { expect, vi } from 'vitest';
import { postbackCapability } from '../../src/contract/postback-capability.js';
import { createPaymentsClient } from '../../src/client.js';
import { test } from '../support/deployment.js';
import { freshCode, pixPayout } from '../support/requests.js';

/** A hundred thousand by `npm run test:floods`. */
const count = Number(process.env.FLOOD ?? 500);
// How long so many take is the machine's affair.
const boundMs = 900_000;
vi.setConfig({ testTimeout: boundMs });

/** Runs something for each number up to the count, a thousand and more side by side. */
async function flood(run: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const runRest = async () => {
    while (next < count) {
      next += 1;
      await run(next);
    }
  };
  await Promise.all(Array.from({ length: 1_100 }, runRest));
}

test(`${String(count)} genuine postbacks to one payment add fewer than 300 events and lose no change`, async ({
  deployment,
}) => {
  const { gateway, postbackKeys, sandbox, server, startWorker } = deployment;
  sandbox.postbacks('off');
  await startWorker();
  const payments = createPaymentsClient({ client: server.client, taskQueue: server.taskQueue });
  const code = freshCode();
  const { payment } = await payments.startPayout({ ...pixPayout(code), method: 'pix' });
  const statusWhen = async (status: string) =>
    (await payment.awaitStatus({ statuses: [status], timeout_seconds: 30 })).status;
  await expect.poll(() => statusWhen('claimed'), { timeout: boundMs }).toBe('claimed');
  const before = await eventsOf(server.client, payment.workflowId);

  const url = `${gateway.url}/postbacks/${postbackCapability(postbackKeys, payment.workflowId)}`;
  const statuses = new Set<number>();
  // A thousand of them may wait for their signal; whoever comes beyond is answered at once.
  await flood(async (number) => {
    if (number === count / 2) sandbox.setPayoutStatus(code, 'processing');
    if (number === count - 1) sandbox.setPayoutStatus(code, 'done');
    const { body, statusCode } = await request(url, { method: 'POST', body: `number ${String(number)}` });
    await body.dump();
    statuses.add(statusCode);
  });
  // What Temporal does not take in time on a slow machine is 503, and the service posts it again.
  statuses.delete(503);
  expect(statuses).toEqual(new Set([200]));
  await expect.poll(() => statusWhen('done'), { timeout: boundMs }).toBe('done');
  expect((await eventsOf(server.client, payment.workflowId)) - before).toBeLessThan(300);
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
