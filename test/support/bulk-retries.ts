import { Client } from '@temporalio/client';
import { vi } from 'vitest';
import { createPaymentsClient, TemporalUnavailableError, type PaymentsClient } from '../../src/client.js';
import type { BulkRetryInput, BulkRetryLine, BulkRetryState } from '../../src/contract/bulk-retry.js';
import { startDeployment, type Deployment } from './deployment.js';
import { freshCode, pixPayout } from './requests.js';
import { testDataConverter } from './temporal-data-converter.js';
import { waiting } from './waiting.js';
import { reachesStatus } from './reaches-status.js';

/** Failed payouts by the dozen, and the bulk retries that retry them. */
export type BulkRetryStack = {
  readonly deployment: Deployment;
  readonly payments: PaymentsClient;
  /** Payouts that the service shows as failed, as search shows them too. Needs a worker. */
  failed(count: number, more?: object, owner?: string): Promise<string[]>;
  /** Starts a bulk retry that goes fast; answers its id. */
  start(more?: Partial<BulkRetryInput>): Promise<string>;
  until(id: string, holds: (state: BulkRetryState) => boolean, timeout?: number): Promise<BulkRetryState>;
  finished(id: string): Promise<BulkRetryState>;
  report(id: string): Promise<BulkRetryLine[]>;
  /** The service settles the second attempts of these payouts that it holds; answers how many it holds. */
  settle(codes: readonly string[], status: string): number;
  /**
   * How many second attempts of these payouts the service holds. A retry is answered before its attempt is sent, so this
   * waits until there are as many as the test expects.
   */
  timesRetried(codes: readonly string[], expected: number): Promise<number>;
  close(): Promise<void>;
};

export async function startBulkRetryStack(): Promise<BulkRetryStack> {
  const deployment = await startDeployment();
  const { client, taskQueue } = deployment.server;
  const payments = createPaymentsClient({ client, taskQueue, pollScale: 0.02 });
  // Started by a client of its own: what a test replays and keeps are the bulk retries.
  const payouts = createPaymentsClient({
    client: new Client({ ...deployment.server.place, dataConverter: testDataConverter }),
    taskQueue,
    pollScale: 0.02,
  });
  const { ledger, setPayoutStatus } = deployment.sandbox;
  const secondAttempts = (codes: readonly string[], { payouts: made } = ledger()) => {
    const retries = new Set(codes.map((code) => `${code}-r2`));
    return made.filter(({ partner_code: code }) => retries.has(code));
  };
  const until: BulkRetryStack['until'] = (id, holds, timeout = waiting.timeout) =>
    vi.waitUntil(
      async () => {
        const state = await payments.bulkRetry(id).state().catch(unlessUnavailable);
        if (state !== undefined && holds(state)) return state;
        if (state?.closed === true) throw new Error(`It is over: ${JSON.stringify(state, null, 1)}`);
        return false;
      },
      { ...waiting, timeout },
    );
  return {
    deployment,
    payments,
    failed: async (count, more = {}, owner = 'oms') => {
      const codes = Array.from({ length: count }, () => freshCode());
      await Promise.all(
        codes.map(async (code) => {
          const { payment } = await payouts.startPayout({ ...payoutRequest(code), ...more }, { owner });
          await deployment.sandbox.until(({ payouts }) => payouts.some((made) => made.partner_code === code));
          setPayoutStatus(code, 'error');
          await reachesStatus(payment, 'error');
        }),
      );
      await vi.waitUntil(async () => {
        const found = await deployment.own.payoutsOf(codes, []);
        return found.filter(({ status }) => status === 'error').length >= count;
      }, waiting);
      return codes;
    },
    start: async (more = {}) => {
      const { state } = await payments.startBulkRetry({
        bulk_retry_id: freshCode(),
        reason: 'the bank is back',
        by: 'ana',
        per_second: 50,
        ...more,
      });
      return state.bulk_retry_id;
    },
    until,
    finished: (id) => until(id, ({ closed }) => closed),
    report: async (id) => {
      const lines: BulkRetryLine[] = [];
      for await (const page of payments.bulkRetry(id).report()) lines.push(...page);
      return lines;
    },
    settle: (codes, status) => {
      const held = secondAttempts(codes);
      for (const { partner_code: code, status: now } of held) {
        if (now !== status) setPayoutStatus(code, status);
      }
      return held.length;
    },
    timesRetried: async (codes, expected) => {
      await deployment.sandbox.until((made) => secondAttempts(codes, made).length >= expected);
      return secondAttempts(codes).length;
    },
    close: () => deployment.close(),
  };
}

/** While a test changes its worker, nobody answers. */
function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof TemporalUnavailableError)) throw error;
}

function payoutRequest(partnerCode: string) {
  return { ...pixPayout(partnerCode), method: 'pix' as const };
}
