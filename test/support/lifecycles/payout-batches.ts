import { vi } from 'vitest';
import type { PayoutBatchState } from '../../../src/contract/payout-batch.js';
import { call, type CallOptions } from '../../gateway/call.js';
import type { Sandbox } from '../../../src/dev/sandbox/server.js';
import type { DevServer } from '../temporal-dev-server.js';
import { waiting } from '../waiting.js';

/** A gateway, with a key of it, and what its workers run on. */
type Served = { gateway: { url: string }; apiKey: string; sandbox: Sandbox; server: DevServer };

type Coded = { readonly partner_code: string };

/** Payout batches of a test, through the gateway. */
export function payoutBatchesOn({ gateway, apiKey, sandbox, server }: Served) {
  async function http(method: 'GET' | 'POST', path: string, options: CallOptions = {}) {
    const answer = await call(gateway.url, method, path, { key: apiKey, ...options });
    return { ...answer, state: JSON.parse(answer.text) as PayoutBatchState };
  }

  const pageOf = (batchId: string, page = 1) =>
    server.client.workflow.getHandle(`batch-${batchId}-${String(page)}`);

  const stateOf = async (batchId: string) => (await http('GET', `/v1/payout-batches/${batchId}`)).state;

  /** The state of a batch once all its pages have ended. */
  async function finished(batchId: string): Promise<PayoutBatchState> {
    const { pages } = await stateOf(batchId);
    for (let page = 1; page <= pages; page += 1) await pageOf(batchId, page).result();
    return stateOf(batchId);
  }

  /** The statuses of a batch's payouts, as soon as search shows what is waited for. */
  function statuses(batchId: string, holds: (payouts: Record<string, number>) => boolean) {
    return vi.waitUntil(async () => {
      const { payouts } = (await http('GET', `/v1/payout-batches/${batchId}?payouts=true`)).state;
      return payouts !== undefined && holds(payouts) && payouts;
    }, waiting);
  }

  const timesMade = (rows: readonly Coded[]) => {
    const codes = new Set(rows.map(({ partner_code }) => partner_code));
    return sandbox.ledger().payouts.filter(({ partner_code }) => codes.has(partner_code)).length;
  };

  return {
    http,
    finished,
    pageOf,
    statuses,
    startPage: (batch_id: string, page: number, payouts: readonly Coded[], more: object = {}) =>
      server.client.workflow.start('payoutBatch', {
        workflowId: `batch-${batch_id}-${String(page)}`,
        taskQueue: server.taskQueue,
        args: [{ batch_id, page, pages: 2, first_row: page, rows: 2, digest: 'x', payouts, ...more }],
      }),
    send: (body: object) => http('POST', '/v1/payout-batches', { body }),
    /** How many payouts the service has made for these rows, by its ledger. */
    timesMade,
    allMade: (rows: readonly Coded[]) => sandbox.until(() => timesMade(rows) >= rows.length),
  };
}
