import type { BulkRetryState } from '../../src/contract/bulk-retry.js';
import { attentionTexts } from '../../src/domain/attention.js';
import { retryOutcomes, type Tallies } from '../../src/domain/bulk-retry.js';
import { bulkRetryWorkflowId } from '../../src/domain/ids.js';
import { toDecimal } from '../../src/domain/money.js';
import type { Plan } from './plan.js';

/** How many payouts came to what, and their sums in reais. */
export function perOutcome(total: Tallies): Pick<BulkRetryState, 'counts' | 'values'> {
  const sum = (of: (outcome: keyof Tallies) => number) =>
    retryOutcomes.reduce((all, outcome) => all + of(outcome), 0);
  const { done, failed_again, pending, refused, retried } = total;
  return {
    counts: {
      matched: sum((outcome) => total[outcome].count),
      pending: pending.count,
      retried: retried.count,
      done: done.count,
      failed_again: failed_again.count,
      refused: refused.count,
    },
    values: {
      matched: toDecimal(sum((outcome) => total[outcome].centavos)),
      pending: toDecimal(pending.centavos),
      retried: toDecimal(retried.centavos),
      done: toDecimal(done.centavos),
      failed_again: toDecimal(failed_again.centavos),
      refused: toDecimal(refused.centavos),
    },
  };
}

export function viewOfPlan(plan: Plan) {
  return {
    bulk_retry_id: plan.id,
    workflow_id: bulkRetryWorkflowId(plan.id),
    dry_run: plan.isDryRun,
    by: plan.by,
    reason: plan.reason,
    filter: plan.filter,
    per_second: plan.perSecond,
    canary: plan.canary,
    stop_at_failure_share: plan.stopAtFailureShare,
  };
}

/** Why an operator is needed, or why it has stopped. */
export function viewOfAttention(
  isRaised: boolean,
  detail: string | null,
): Pick<BulkRetryState, 'attention' | 'attention_detail'> {
  if (!isRaised) return { attention: null, attention_detail: detail };
  const { action, meaning } = attentionTexts.bulk_retry_stopped;
  return {
    attention: 'bulk_retry_stopped',
    attention_detail: `${detail ?? ''} ${meaning} ${action}`.trim(),
  };
}
