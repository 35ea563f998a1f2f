import { describe, expect, vi } from 'vitest';
import { createPaymentsClient } from '../../src/client.js';
import type { PaymentListing } from '../../src/contract/http/lists.js';
import type { PayoutListInput, PayoutListPart } from '../../src/contract/payout-list.js';
import type { ReconciliationReport } from '../../src/contract/reconciliation.js';
import type { PayoutState } from '../../src/contract/state.js';
import { startDeployment, test as deployed, type Deployment } from '../support/deployment.js';
import { recordedAs } from '../support/keep-histories.js';
import { freshCode, pixPayout } from '../support/requests.js';
import { waiting } from '../support/waiting.js';

type ListWorkflow = (input: PayoutListInput) => Promise<PayoutListPart>;

const twoMinutes = 120_000;
const none = { count: 0, payouts: [] };

const test = deployed.extend('payouts', ({ deployment }) => payoutsOn(deployment));
// The service's records and the payouts are old enough to be compared.
test.override('deploymentOptions', { scope: 'file' }, { sandbox: { now: () => Date.now() - twoMinutes } });
test.override('shared', { scope: 'file' }, async ({ deploymentOptions }, { onCleanup }) => {
  const deployment = await startDeployment(deploymentOptions);
  onCleanup(() => deployment.close());
  await deployment.startWorker({ openPayouts: (which) => asIfOlder(deployment.own.openPayouts(which)) });
  return deployment;
});

async function* asIfOlder(pages: AsyncIterable<readonly PaymentListing[]>) {
  for await (const page of pages) {
    yield page.map((own) => ({
      ...own,
      started_at: new Date(Date.parse(own.started_at) - twoMinutes).toISOString(),
    }));
  }
}

function payoutsOn({ own, sandbox, server }: Deployment) {
  /** Waits until Temporal's search shows a payout with this status. */
  async function shown(code: string, status: string): Promise<void> {
    await vi.waitUntil(async () => (await own.payoutsOf([code], []))[0]?.status === status, waiting);
  }

  return {
    shown,
    /** Starts a payout whose own first read comes long after this test. */
    open: async (tags = ''): Promise<string> => {
      const code = freshCode();
      await own.startPayout(pixPayout(code, tags, { poll_scale: 10, reconciled: true }) as never);
      await shown(code, 'claimed');
      return code;
    },
    /** Pays at the service, past this program; resolves to the identifier. */
    payElsewhere: async (partnerCode: string): Promise<string> => {
      const { token } = await own.tokens.current();
      const { method: _method, ...payout } = pixPayout(partnerCode);
      const call = { token, tokenIsNew: false, refusal: () => undefined };
      await own.service.createPixPayout({ ...payout, notification_url: 'http://127.0.0.1:9/' }, call);
      return String(sandbox.ledger().payouts.find((made) => made.partner_code === partnerCode)?.id);
    },
    /** By its state: search may show a passing status later. */
    untilStatus: async (code: string, status: string) => {
      const payout = server.client.workflow.getHandle(`payout-${code}`);
      await vi.waitUntil(async () => (await payout.query<PayoutState>('state')).status === status, waiting);
    },
    reconcile: (full = false) =>
      createPaymentsClient({ client: server.client, taskQueue: server.taskQueue }).reconcile({ full }),
    /** As its Schedule starts it, with the result of the run before. */
    reconcileAfter: async (lastResult: Partial<ReconciliationReport>) => {
      const { client, namespace, taskQueue } = server;
      const { payloadConverter, payloadCodecs } = client.options.loadedDataConverter;
      let payloads = [payloadConverter.toPayload(lastResult)];
      for (const codec of payloadCodecs) payloads = await codec.encode(payloads);
      const workflowId = `payout-reconciliation-${freshCode()}`;
      await client.workflowService.startWorkflowExecution({
        ...{ namespace, workflowId, requestId: workflowId, taskQueue: { name: taskQueue } },
        workflowType: { name: 'payoutReconciliation' },
        lastCompletionResult: { payloads },
      });
      const handle = client.workflow.getHandle(workflowId);
      const report = (await handle.result()) as ReconciliationReport;
      const details = JSON.stringify(await handle.query('__temporal_workflow_metadata'));
      return { report, details };
    },
  };
}

/** What is reported, and who is hinted, are rules: `test/activities/reconciling.test.ts`, `test/domain/reconciling.test.ts`. */
describe('a reconciliation', () => {
  test(
    'hints a payout that is failed here and under way there',
    recordedAs('reconciliation-with-a-hint'),
    async ({ payouts, sandbox }) => {
      const code = await payouts.open();
      sandbox.setPayoutStatus(code, 'error');
      await payouts.reconcile();
      await payouts.shown(code, 'error');
      sandbox.setPayoutStatus(code, 'processing');
      expect((await payouts.reconcile()).changed.payouts).toEqual([
        { partner_code: code, service_id: expect.any(String) as string },
      ]);
      await payouts.untilStatus(code, 'processing');
    },
  );

  test('of all payouts reports who is missing there and who is owned by nobody here', async ({ payouts }) => {
    const unlisted = await payouts.open('unlisted');
    const stranger = freshCode();
    const id = await payouts.payElsewhere(stranger);
    const report = await payouts.reconcile(true);
    expect(report).toMatchObject({
      full: true,
      missing: { count: 1, payouts: [{ partner_code: unlisted }] },
      orphans: { count: 1, payouts: [{ partner_code: stranger, service_id: id }] },
      mismatches: none,
      changed: none,
    });
  });

  test('that runs 30 minutes after the last one reports that runs were missed', async ({ payouts }) => {
    const lastEndedAt = new Date(Date.now() - 30 * 60_000).toISOString();
    const { report, details } = await payouts.reconcileAfter({ finished_at: lastEndedAt });
    expect(report.not_run_since).toBe(lastEndedAt);
    expect(details).toContain(`It had not run since ${lastEndedAt}`);
  });
});

test(
  'who has no credentials of the service reads its list by a workflow',
  recordedAs('payout-list-read'),
  async ({ deployment: { server }, payouts }) => {
    const code = freshCode();
    await payouts.payElsewhere(code);
    const part = await server.client.workflow.execute<ListWorkflow>('payoutList', {
      workflowId: `payout-list-${code}`,
      taskQueue: server.taskQueue,
      args: [{ page: 1, not_before: '2020-01-01T00:00:00Z' }],
    });
    expect(part.payouts).toContainEqual(expect.objectContaining({ partner_code: code, provider: 'sandbox' }));
  },
);
