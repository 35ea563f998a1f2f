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
/** On two pages of the list. */
const manyPayouts = 110;
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
  const calls = () => sandbox.ledger().calls;

  /** Waits until Temporal's search, which takes few questions a second, shows these payouts with this status. */
  async function shown(codes: readonly string[], status: string): Promise<void> {
    for (let at = 0; at < codes.length; at += 100) {
      const some = codes.slice(at, at + 100);
      await vi.waitUntil(async () => {
        const found = await own.payoutsOf(some, []);
        return found.filter((each) => each.status === status).length >= some.length;
      }, waiting);
    }
  }

  const statusOf = async (code: string) =>
    (await server.client.workflow.getHandle(`payout-${code}`).query<PayoutState>('state')).status;

  return {
    shown,
    /** Starts payouts whose own first read comes long after this test. */
    open: async (count: number, tags = ''): Promise<string[]> => {
      const codes = Array.from({ length: count }, () => freshCode());
      for (let at = 0; at < count; at += 20) {
        const some = codes
          .slice(at, at + 20)
          .map((code) => pixPayout(code, tags, { poll_scale: 10, reconciled: true }));
        await Promise.all(some.map((payout) => own.startPayout(payout as never)));
      }
      await shown(codes, 'claimed');
      return codes;
    },
    /** Pays at the service, past this program; resolves to the identifier. */
    payElsewhere: async (partnerCode: string): Promise<string> => {
      const { token } = await own.tokens.current();
      const { method: _method, ...payout } = pixPayout(partnerCode);
      const call = { token, tokenIsNew: false, refusal: () => undefined };
      await own.service.createPixPayout({ ...payout, notification_url: 'http://127.0.0.1:9/' }, call);
      return String(sandbox.ledger().payouts.find((made) => made.partner_code === partnerCode)?.id);
    },
    statusOf,
    /** By its state: search may show a passing status later. */
    untilStatus: async (code: string, status: string) => {
      await vi.waitUntil(async () => (await statusOf(code)) === status, waiting);
    },
    /** Which of these payouts have been hinted at: a hint is a signal. */
    hinted: async (codes: readonly string[]): Promise<string[]> => {
      const isHinted = async (code: string) => {
        const { events } = await server.client.workflow.getHandle(`payout-${code}`).fetchHistory();
        return (events ?? []).some((event) => event.workflowExecutionSignaledEventAttributes != null);
      };
      const hinted = await Promise.all(codes.map(isHinted));
      return codes.filter((_, index) => hinted[index]);
    },
    listReads: () => calls()['GET /v1/payouts'] ?? 0,
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
  test(`reads pages instead of ${String(manyPayouts)} payouts, and hints those that changed alone`, async ({
    payouts,
    sandbox,
  }) => {
    const codes = await payouts.open(manyPayouts);
    const listsBefore = payouts.listReads();
    expect(await payouts.reconcile()).toMatchObject({
      full: false,
      compared: manyPayouts,
      records: manyPayouts,
      reads: 2,
      hinted: 0,
      changed: none,
    });
    expect(payouts.listReads() - listsBefore).toBe(2);
    expect(await payouts.hinted(codes)).toEqual([]);

    const [first = '', second = '', third = ''] = codes;
    sandbox.setPayoutStatus(first, 'processing');
    sandbox.setPayoutStatus(second, 'done');
    sandbox.setPayoutStatus(third, 'error');
    const report = await payouts.reconcile();
    expect(report).toMatchObject({ hinted: 3, changed: { count: 3 } });
    expect(report.changed.payouts.map((payout) => payout.partner_code).sort()).toEqual(
      [first, second, third].sort(),
    );
    await payouts.untilStatus(first, 'processing');
    await payouts.shown([second], 'done');
    await payouts.shown([third], 'error');
    expect(await payouts.statusOf(second)).toBe('done');
    expect(await payouts.hinted(codes)).toEqual([first, second, third]);
    expect(await payouts.reconcile()).toMatchObject({ hinted: 0, changed: none, compared: manyPayouts - 2 });
    expect(JSON.stringify(report)).not.toContain('Maria');
  });

  test(
    'hints a payout that is failed here and under way there',
    recordedAs('reconciliation-with-a-hint'),
    async ({ payouts, sandbox }) => {
      const [code = ''] = await payouts.open(1);
      sandbox.setPayoutStatus(code, 'error');
      await payouts.reconcile();
      await payouts.shown([code], 'error');
      sandbox.setPayoutStatus(code, 'processing');
      expect((await payouts.reconcile()).changed.payouts).toEqual([
        { partner_code: code, service_id: expect.any(String) as string },
      ]);
      await payouts.untilStatus(code, 'processing');
    },
  );

  test('of all payouts reports who is missing there and who is owned by nobody here', async ({ payouts }) => {
    const [unlisted = ''] = await payouts.open(1, 'unlisted');
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
