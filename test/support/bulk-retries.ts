import { vi } from 'vitest';
import { TemporalUnavailableError, type PaymentsClient } from '../../src/client.js';
import type { BulkRetryInput, BulkRetryLine, BulkRetryState } from '../../src/contract/bulk-retry.js';
import { call } from '../gateway/call.js';
import { fastPayments, test as base, type Deployment } from './deployment.js';
import { reachesStatus } from './reaches-status.js';
import { freshCode, pixPayout } from './requests.js';
import { noteStarted } from './temporal-dev-server.js';
import { waiting } from './waiting.js';

/** Failed payouts by the dozen, and the bulk retries that retry them. A worker runs, which a test may replace. */
export const test = base
  .extend('gateway', ({ deployment }) => deployment.gateway)
  .extend(
    'post',
    ({ gateway }) =>
      (path: string, key: string, body: object) =>
        call(gateway.url, 'POST', path, { key, body }),
  )
  .extend('bulkRetries', async ({ deployment, payments }) => {
    let stop = await deployment.startWorker();
    return {
      ...bulkRetriesOn(deployment, payments),
      stopWorker: () => stop(),
      replaceWorker: async (own: Parameters<Deployment['startWorker']>[0]) => {
        await stop();
        stop = await deployment.startWorker(own);
      },
    };
  });

function bulkRetriesOn({ own, sandbox, server }: Deployment, payments: PaymentsClient) {
  const { ledger, setPayoutStatus } = sandbox;
  // Started by a client of its own: what a test replays and keeps are the bulk retries.
  const payouts = fastPayments({ ...noteStarted(server), taskQueue: server.taskQueue });
  const secondAttempts = (codes: readonly string[], { payouts: made } = ledger()) => {
    const retries = new Set(codes.map((code) => `${code}-r2`));
    return made.filter(({ partner_code: code }) => retries.has(code));
  };
  const until = (id: string, holds: (state: BulkRetryState) => boolean) =>
    vi.waitUntil(async () => {
      const state = await payments.bulkRetry(id).state().catch(unlessUnavailable);
      if (state !== undefined && holds(state)) return state;
      if (state?.closed === true) throw new Error(`It is over: ${JSON.stringify(state, null, 1)}`);
      return false;
    }, waiting);
  /** Waits until search shows so many of these payouts with this status. */
  const shown = (codes: readonly string[], status: string, count = codes.length) =>
    vi.waitUntil(
      async () => (await own.payoutsOf(codes, [])).filter((each) => each.status === status).length === count,
      waiting,
    );
  return {
    until,
    shown,
    /** Payouts that the service shows as failed, as search shows them too. */
    failed: async (count: number, owner = 'oms') => {
      const codes = Array.from({ length: count }, () => freshCode());
      await Promise.all(
        codes.map(async (code) => {
          const { payment } = await payouts.startPayout({ ...pixPayout(code), method: 'pix' }, { owner });
          await sandbox.until(({ payouts: made }) => made.some((each) => each.partner_code === code));
          setPayoutStatus(code, 'error');
          await reachesStatus(payment, 'error');
        }),
      );
      await shown(codes, 'error');
      return codes;
    },
    /** Starts a bulk retry that goes fast, and whose canary is waited for longer than any test; answers its id. */
    start: async (more: Partial<BulkRetryInput> = {}) => {
      const { state } = await payments.startBulkRetry({
        ...{ bulk_retry_id: freshCode(), reason: 'the bank is back', by: 'ana' },
        ...{ per_second: 50, poll_scale: 0.2, ...more },
      });
      return state.bulk_retry_id;
    },
    finished: (id: string) => until(id, ({ closed }) => closed),
    report: async (id: string) => {
      const lines: BulkRetryLine[] = [];
      for await (const page of payments.bulkRetry(id).report()) lines.push(...page);
      return lines;
    },
    /** The service settles the second attempts of these payouts that it holds. */
    settle: (codes: readonly string[], status: string): void => {
      for (const { partner_code: code, status: now } of secondAttempts(codes))
        if (now !== status) setPayoutStatus(code, status);
    },
    /**
     * How many second attempts of these payouts the service holds. A retry is answered before its attempt is sent, so
     * this waits until there are as many as the test expects.
     */
    timesRetried: async (codes: readonly string[], expected: number) => {
      await sandbox.until((made) => secondAttempts(codes, made).length >= expected);
      return secondAttempts(codes).length;
    },
  };
}

/** While a test changes its worker, nobody answers. */
function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof TemporalUnavailableError)) throw error;
}
