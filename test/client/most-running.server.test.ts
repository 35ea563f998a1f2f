import { describe, expect, vi } from 'vitest';
import { createPaymentsClient, TooManyRunningError } from '../../src/client.js';
import { mostRunning } from '../../src/domain/batch-limits.js';
import { call } from '../gateway/call.js';
import { test, type Deployment } from '../support/deployment.js';
import { freshCode, pixPayout } from '../support/requests.js';
import { waiting } from '../support/waiting.js';

type Kind = keyof typeof mostRunning;

/** Starts one of a kind under a reference, for an owner; no worker runs, so it goes on. */
function starterOf({ server }: Deployment) {
  const { client, taskQueue } = server;
  const payments = createPaymentsClient({ client, taskQueue });
  const by = 'ana';
  const starts: Record<Kind, (id: string, owner?: string) => Promise<{ repeated: boolean }>> = {
    payoutBatch: (batch_id, owner) =>
      payments.startPayoutBatch({ batch_id, payouts: [pixPayout(freshCode())] }, owned(owner)),
    bulkRetry: (bulk_retry_id, owner) =>
      payments.startBulkRetry({ bulk_retry_id, reason: 'the bank is back', by }, owned(owner)),
    webhookResend: (resend_id, owner) =>
      payments.startWebhookResend({ resend_id, by, workflow_id: 'payout-none' }, owned(owner)),
  };
  return starts;
}

const owned = (owner: string | undefined) => (owner === undefined ? {} : { owner });

/** Starts as many as one owner may have running, and waits until search shows them. Answers the first. */
async function fill(
  { server }: Deployment,
  kind: Kind,
  owner: string,
  start: (id: string, owner: string) => Promise<unknown>,
): Promise<string> {
  const ids = Array.from({ length: mostRunning[kind] }, () => `${freshCode()}b`);
  for (const id of ids) await start(id, owner);
  const query = `WorkflowType = '${kind}' AND PaymentOwner = '${owner}' AND ExecutionStatus = 'Running'`;
  const { workflow } = server.client;
  await vi.waitUntil(async () => (await workflow.count(query)).count === ids.length, waiting);
  return ids[0] ?? '';
}

describe('one owner', () => {
  test.for(['payoutBatch', 'bulkRetry', 'webhookResend'] as const)(
    'has a bound of what is running of the kind %s, and takes nothing from another',
    async (kind, { deployment }) => {
      const start = starterOf(deployment)[kind];
      const owner = `oms-${freshCode()}`;
      await fill(deployment, kind, owner, start);
      await expect(start(`${freshCode()}b`, owner)).rejects.toThrow(TooManyRunningError);
      await expect(start(`${freshCode()}b`, `other-${freshCode()}`)).resolves.toMatchObject({
        repeated: false,
      });
      await expect(start(`${freshCode()}b`)).resolves.toMatchObject({ repeated: false });
    },
  );

  test('who is at the bound may send again what it has started, and is told over HTTP to wait', async ({
    deployment,
  }) => {
    const { apiKey: key, gateway } = deployment;
    const send = (resend_id: string) =>
      call(gateway.url, 'POST', '/v1/webhook-resends', {
        key,
        body: { resend_id, seen_after: '2026-11-01T00:00:00Z' },
      });
    const first = await fill(deployment, 'webhookResend', 'oms', send);
    const refused = await send(`${freshCode()}b`);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({
      type: 'urn:durable-payments:problem:too-many-requests',
      detail: expect.stringContaining('10 resends of notifications running') as string,
    });
    expect(refused.headers['retry-after']).toBe('60');
    // It is there already; what it has come to can't be asked while no worker runs.
    expect((await send(first)).status).toBe(503);
  });
});
