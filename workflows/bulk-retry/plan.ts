import type { BulkRetryFilter, BulkRetryInput } from '../../src/contract/bulk-retry.js';
import { bulkRetryDefaults } from '../../src/domain/bulk-retry.js';
import { asRecord } from '../../src/domain/records.js';

/** What a bulk retry is to do, with the defaults of what its input leaves out. */
export type Plan = {
  id: string;
  by: string;
  reason: string;
  filter: BulkRetryFilter;
  perSecond: number;
  canary: number;
  stopAtFailureShare: number;
  isDryRun: boolean;
  /** Multiplies every waiting time. */
  scale: number;
};

/** Reads the input, which may come from anybody and be anything before an activity has checked it. */
export function readPlan(input: BulkRetryInput, startedAt: number): Plan {
  const plan = { ...input, ...asRecord(input) };
  return {
    id: plan.bulk_retry_id,
    by: plan.by,
    reason: plan.reason,
    filter: withTime(plan.filter ?? {}, startedAt),
    perSecond: plan.per_second ?? bulkRetryDefaults.perSecond,
    canary: plan.canary ?? bulkRetryDefaults.canary,
    stopAtFailureShare: plan.stop_at_failure_share ?? bulkRetryDefaults.stopAtFailureShare,
    isDryRun: plan.dry_run === true,
    scale: plan.poll_scale ?? 1,
  };
}

/** A filter that names neither a time nor the payouts themselves means those of the last days. */
function withTime(filter: BulkRetryFilter, startedAt: number): BulkRetryFilter {
  const { batch_id, failed_after, failed_before, partner_codes } = filter;
  const isBounded = [batch_id, failed_after, failed_before, partner_codes].some((one) => one !== undefined);
  if (isBounded) return filter;
  const failedAfter = new Date(startedAt - bulkRetryDefaults.failedWithinMs).toISOString();
  return { ...filter, failed_after: failedAfter };
}
