import type { BulkRetryInput, BulkRetryState } from '../contract/bulk-retry.js';
import { firstBulkRetryStatus } from '../domain/bulk-retry-status.js';
import { bulkRetryDefaults } from '../domain/bulk-retry.js';
import { bulkRetryWorkflowId } from '../domain/ids.js';

/** A bulk retry as it stands the moment it was started: no worker has to answer for that. */
export function initialBulkRetry(input: BulkRetryInput, owner: string | null): BulkRetryState {
  const at = new Date().toISOString();
  const none = { matched: 0, pending: 0, retried: 0, done: 0, failed_again: 0, refused: 0 };
  const { by, reason } = input;
  return {
    bulk_retry_id: input.bulk_retry_id,
    workflow_id: bulkRetryWorkflowId(input.bulk_retry_id),
    started_by: owner,
    status: firstBulkRetryStatus(input),
    dry_run: input.dry_run === true,
    attention: null,
    attention_detail: null,
    awaiting: 'the selection of the failed payouts',
    by,
    reason,
    filter: input.filter ?? {},
    per_second: input.per_second ?? bulkRetryDefaults.perSecond,
    canary: input.canary ?? bulkRetryDefaults.canary,
    stop_at_failure_share: input.stop_at_failure_share ?? bulkRetryDefaults.stopAtFailureShare,
    counts: none,
    values: none,
    unanswered: [],
    groups: [],
    started_at: at,
    updated_at: at,
    closed: false,
    pages: 0,
    timeline: [{ at, what: 'Bulk retry started', by, reason }],
  };
}
