import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createPaymentsClient } from '../../src/client.js';
import type { PaymentListing } from '../../src/contract/http/lists.js';
import type { ReconciliationReport } from '../../src/contract/reconciliation.js';
import type { PayoutState } from '../../src/contract/state.js';
import {
  ensureReconciliationSchedules,
  reconciliationSchedules,
} from '../../src/temporal/reconciliation-schedules.js';
import { startFleetRig, type FleetRig } from '../support/fleet-rig.js';
import { replayAfter } from '../support/replay.js';
import { freshCode, pixPayout } from '../support/requests.js';
import { workflowBundle } from '../support/temporal-dev-server.js';

const twoMinutes = 120_000;
const manyPayouts = 300;

let rig: FleetRig;
/** The service's records are old enough to be judged. */
beforeAll(async () => {
  rig = await startFleetRig({ now: () => Date.now() - twoMinutes });
  await rig.startWorker({ openPayouts: (which) => asIfOlder(rig.own.openPayouts(which)) });
});
afterEach(() =>
  replayAfter(rig.server.client, rig.server.started, { workflowBundle: workflowBundle(), leftOpen: 'all' }),
);
afterAll(() => rig.close());

async function* asIfOlder(pages: AsyncIterable<readonly PaymentListing[]>) {
  for await (const page of pages) {
    yield page.map((own) => ({
      ...own,
      started_at: new Date(Date.parse(own.started_at) - twoMinutes).toISOString(),
    }));
  }
}

/** Payouts whose own first read comes long after this test. */
async function openPayouts(count: number, tags = ''): Promise<string[]> {
  const codes = Array.from({ length: count }, () => freshCode());
  for (let at = 0; at < count; at += 20) {
    const some = codes
      .slice(at, at + 20)
      .map((code) => pixPayout(code, tags, { poll_scale: 10, reconciled: true }));
    await Promise.all(some.map((payout) => rig.own.startPayout(payout as never)));
  }
  await shown(codes, 'claimed');
  return codes;
}

/** Waits until Temporal's search, which takes few questions a second, shows these payouts with this status. */
async function shown(codes: readonly string[], status: string): Promise<void> {
  for (let at = 0; at < codes.length; at += 100) {
    const some = codes.slice(at, at + 100);
    let found: readonly PaymentListing[] = [];
    while (found.length < some.length) {
      found = (await rig.own.payoutsOf(some, [])).filter((own) => own.status === status);
    }
  }
}

const statusOf = async (code: string) =>
  (await rig.server.client.workflow.getHandle(`payout-${code}`).query<PayoutState>('state')).status;

const calls = () => rig.sandbox.ledger().calls;
const singleReads = () => calls()['GET /v1/payout/{id}'] ?? 0;
const listReads = () => calls()['GET /v1/payouts'] ?? 0;

const reconcile = (full = false): Promise<ReconciliationReport> =>
  createPaymentsClient({ client: rig.server.client, taskQueue: rig.server.taskQueue }).reconcile({ full });

const none = { count: 0, payouts: [] };

describe('a reconciliation', () => {
  test(`reads pages instead of ${String(manyPayouts)} payouts, and hints those that changed alone`, async () => {
    const codes = await openPayouts(manyPayouts);
    const [listsBefore, singlesBefore] = [listReads(), singleReads()];
    expect(await reconcile()).toMatchObject({
      full: false,
      compared: manyPayouts,
      records: manyPayouts,
      reads: 3,
      hinted: 0,
      changed: none,
    });
    expect(listReads() - listsBefore).toBe(3);
    expect(singleReads()).toBe(singlesBefore);

    const [first = '', second = '', third = ''] = codes;
    rig.sandbox.setPayoutStatus(first, 'processing');
    rig.sandbox.setPayoutStatus(second, 'done');
    rig.sandbox.setPayoutStatus(third, 'error');
    const report = await reconcile();
    expect(report).toMatchObject({ hinted: 3, changed: { count: 3 } });
    expect(report.changed.payouts.map((payout) => payout.partner_code).sort()).toEqual(
      [first, second, third].sort(),
    );
    await shown([first], 'processing');
    await shown([second], 'done');
    await shown([third], 'error');
    expect(await statusOf(second)).toBe('done');
    expect(singleReads()).toBe(singlesBefore + 3);
    expect(await reconcile()).toMatchObject({ hinted: 0, changed: none, compared: manyPayouts - 2 });
    expect(JSON.stringify(report)).not.toContain('Maria');
  });

  test('hints a payout that is failed here and under way there', async () => {
    const [code = ''] = await openPayouts(1);
    rig.sandbox.setPayoutStatus(code, 'error');
    await reconcile();
    await shown([code], 'error');
    rig.sandbox.setPayoutStatus(code, 'processing');
    expect((await reconcile()).changed.payouts).toEqual([
      { partner_code: code, service_id: expect.any(String) as string },
    ]);
    await shown([code], 'processing');
  });

  test('that walks all reports who is missing there and who is owned by nobody here', async () => {
    const [unlisted = ''] = await openPayouts(1, 'unlisted');
    const stranger = freshCode();
    const id = await payOutside(stranger);
    const report = await reconcile(true);
    expect(report).toMatchObject({
      full: true,
      missing: { count: 1, payouts: [{ partner_code: unlisted }] },
      orphans: { count: 1, payouts: [{ partner_code: stranger, service_id: id }] },
      mismatches: none,
      changed: none,
    });
  });

  test('that walks all reports a second record for one payout, and another value, which is then read', async () => {
    const [twice = '', other = ''] = await openPayouts(2);
    const twin = await payOutside(twice);
    const [owned] = await rig.own.payoutsOf([other], []);
    const record = { partner_code: other, status: 'claimed', claimed_at: new Date().toISOString() };
    const before = singleReads();
    const orphans = (await reconcile(true)).orphans.payouts;
    expect(orphans.filter(({ partner_code }) => partner_code === twice)).toHaveLength(1);
    expect(twin).not.toBe('');

    rig.sandbox.fault({
      endpoint: 'GET /v1/payouts',
      fault: {
        effect: 'none',
        status: 200,
        body: {
          payouts: [{ ...record, id: Number(owned?.service_id), value: 99 }],
          total_pages: 1,
          current_page: 1,
        },
      },
    });
    expect(await reconcile(true)).toMatchObject({
      mismatches: { count: 1, payouts: [{ partner_code: other, service_id: owned?.service_id }] },
    });
    await rig.sandbox.until(() => singleReads() > before);
  });

  test('fails, and reports nothing, when a page can not be read', async () => {
    rig.sandbox.fault({ endpoint: 'GET /v1/payouts', times: 3, fault: { effect: 'none', status: 500 } });
    await expect(reconcile()).rejects.toThrow();
    rig.sandbox.clearFaults();
  });
});

describe('the Schedules of the reconciliation', () => {
  const handles = () =>
    reconciliationSchedules(rig.server.taskQueue).map(({ scheduleId }) =>
      rig.server.client.schedule.getHandle(scheduleId),
    );
  const ensured = () => ensureReconciliationSchedules(rig.server.client, rig.server.taskQueue);
  afterEach(() => Promise.all(handles().map((handle) => handle.delete())));

  test('are made once, put right when they were changed, and stay paused when they were paused', async () => {
    const [quick] = handles();
    if (quick === undefined) throw new Error('There is no Schedule.');
    expect(await ensured()).toEqual(['created', 'created']);
    expect(await ensured()).toEqual(['unchanged', 'unchanged']);
    await quick.pause('stock-taking');
    await quick.update((former) => ({ ...former, spec: { intervals: [{ every: '3 hours' }] } }));
    expect(await ensured()).toEqual(['updated', 'unchanged']);
    const { spec, state, policies } = await quick.describe();
    expect(spec.intervals).toMatchObject([{ every: 600_000 }]);
    expect(state).toMatchObject({ paused: true, note: 'stock-taking' });
    expect(policies.overlap).toBe('SKIP');
  });

  test('run the comparison each ten minutes and the full walk once a day', async () => {
    await ensured();
    for (const [index, handle] of handles().entries()) {
      await handle.trigger();
      let action = (await handle.describe()).info.recentActions[0]?.action;
      while (action === undefined) action = (await handle.describe()).info.recentActions[0]?.action;
      const run = rig.server.client.workflow.getHandle(action.workflow.workflowId);
      expect(await run.result()).toMatchObject({ full: index === 1 });
    }
    expect((await handles()[1]?.describe())?.spec.intervals).toMatchObject([{ every: 86_400_000 }]);
  });
});

test('Schedules have their plain ids on the usual task queue, and others where deployments share a namespace', () => {
  const ids = (taskQueue: string) => reconciliationSchedules(taskQueue).map(({ scheduleId }) => scheduleId);
  expect(ids('payments')).toEqual(['payout-reconciliation', 'payout-reconciliation-full']);
  expect(ids('other')).toEqual(['payout-reconciliation-other', 'payout-reconciliation-other-full']);
});

/** Somebody pays at the service, past this program. */
async function payOutside(partnerCode: string): Promise<string> {
  const { token } = await rig.own.tokens.current();
  const { method: _method, ...payout } = pixPayout(partnerCode);
  const answer = await request(`${rig.sandbox.url}/v1/payout/pix`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ ...payout, notification_url: 'http://127.0.0.1:9/' }),
  });
  return String(((await answer.body.json()) as { id: string }).id);
}
