import type { BulkRetryState } from '../contract/bulk-retry.js';
import { bulkRetryIdOf } from '../domain/ids.js';
import { BulkRetryHandle } from './bulk-retry.js';
import { BulkRetryNotFoundError } from './errors.js';
import { listAll } from './list-all.js';
import type { TemporalCalls } from './temporal-calls.js';
import { quoted } from './visibility-words.js';

/** A bulk retry that runs or waits; without its state when its workflow does not answer. */
export type OpenBulkRetry = { readonly bulk_retry_id: string; readonly state: BulkRetryState | undefined };

/**
 * The bulk retries that run or wait, the latest first; as search shows them, a moment behind.
 *
 * @throws TemporalUnavailableError when they could not be searched
 */
export async function openBulkRetries(calls: TemporalCalls, taskQueue: string): Promise<OpenBulkRetry[]> {
  const query = `WorkflowType = 'bulkRetry' AND ExecutionStatus = 'Running' AND TaskQueue = ${quoted(taskQueue)}`;
  const open: OpenBulkRetry[] = [];
  for await (const page of listAll(calls, query)) {
    const ids = new Set(page.map(({ workflow_id: workflowId }) => bulkRetryIdOf(workflowId)));
    const read = async (id: string): Promise<OpenBulkRetry> => ({
      bulk_retry_id: id,
      state: await new BulkRetryHandle(calls, id).state().catch(() => undefined),
    });
    open.push(...(await Promise.all([...ids].map(read))));
  }
  return open.filter(({ state }) => state?.closed !== true);
}

/**
 * The partner_codes of payouts that a bulk retry still has to retry, whether it still selects, and whether its check of other
 * bulk retries is finished. A page whose history is gone has nothing to retry.
 *
 * @throws BulkRetryNotFoundError, TemporalUnavailableError
 */
export async function pendingOf(
  calls: TemporalCalls,
  bulkRetryId: string,
): Promise<{ isChecked: boolean; isSelecting: boolean; codes: string[] }> {
  const bulkRetry = new BulkRetryHandle(calls, bulkRetryId);
  const { is_checked: isChecked, is_selecting: isSelecting, numbers } = await bulkRetry.pages();
  const codes: string[] = [];
  for (const number of numbers) {
    const lines = await bulkRetry.page(number).catch((error: unknown) => {
      if (error instanceof BulkRetryNotFoundError) return [];
      throw error;
    });
    codes.push(...lines.flatMap(({ outcome, partner_code: code }) => (outcome === 'pending' ? [code] : [])));
  }
  return { isChecked, isSelecting, codes };
}
