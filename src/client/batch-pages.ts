import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalRequest } from '../contract/canonical.js';
import type { PayoutBatchInput, PayoutRow } from '../contract/payout-batch.js';
import { batchLimits } from '../domain/batch-limits.js';
import { batchPageId } from '../domain/ids.js';

/** What all pages of a batch share. */
export type BatchHead = Pick<PayoutBatchInput, 'batch_id'> &
  Partial<Pick<PayoutBatchInput, 'starts_per_second' | 'poll_scale' | 'reconciled'>>;

/** Splits the payouts of a batch into pages, each small enough for one payload. The same batch has the same pages. */
export function pagesOf(head: BatchHead, payouts: readonly PayoutRow[]): PayoutBatchInput[] {
  const hash = createHash('sha256');
  const pages: PayoutRow[][] = [];
  let bytes = 0;
  for (const payout of payouts) {
    hash.update(`${canonicalRequest(payout)}\n`);
    const size = Buffer.byteLength(JSON.stringify(payout));
    const current = pages.at(-1);
    const fits = current !== undefined && current.length < batchLimits.pageRows;
    if (fits && bytes + size <= batchLimits.pageBytes) {
      current.push(payout);
      bytes += size;
    } else {
      pages.push([payout]);
      bytes = size;
    }
  }
  const common = { ...head, pages: pages.length, rows: payouts.length, digest: hash.digest('base64url') };
  let firstRow = 1;
  return pages.map((rows, index) => {
    const page = { ...common, page: index + 1, first_row: firstRow, payouts: rows };
    firstRow += rows.length;
    return page;
  });
}

const identity = z.object({ batch_id: z.string(), page: z.int(), digest: z.string() });

/** The start of a page's workflow; the same page of the same batch is the same request, whatever its rate. */
export function startOfPage(page: PayoutBatchInput) {
  const { batch_id, digest, pages } = page;
  return {
    workflowType: 'payoutBatch',
    workflowId: batchPageId(batch_id, page.page),
    input: page,
    summary: `Payout batch ${batch_id}, page ${String(page.page)} of ${String(pages)}: ${String(page.payouts.length)} payouts`,
    isSame: (recorded: unknown) => {
      const found = identity.safeParse(recorded).data;
      return found?.batch_id === batch_id && found.page === page.page && found.digest === digest;
    },
  };
}
