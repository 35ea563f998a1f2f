import { batchLimits } from '../domain/batch-limits.js';
import { notifyWorkflowProblem } from '../domain/notify-targets.js';
import { InvalidRequestError } from './errors.js';

/**
 * Refuses payments that would signal a workflow which NOTIFY_WORKFLOWS does not allow; those of a batch by their row.
 *
 * @throws InvalidRequestError
 */
export function requireNotifiable(
  prefixes: readonly string[],
  payments: readonly object[],
  { batch = false }: { batch?: boolean } = {},
): void {
  const problems = payments.flatMap((payment, index) => {
    const workflowId = workflowToSignal(payment);
    const message = workflowId === undefined ? undefined : notifyWorkflowProblem(prefixes, workflowId);
    if (message === undefined) return [];
    return [{ field: 'notify.workflow_id', message, ...(batch ? { row: index + 1 } : {}) }];
  });
  if (problems.length > 0)
    throw new InvalidRequestError(problems.slice(0, batchLimits.listedErrors), problems.length);
}

function workflowToSignal(payment: object): string | undefined {
  if (!('notify' in payment) || typeof payment.notify !== 'object' || payment.notify === null)
    return undefined;
  const { notify } = payment;
  return 'workflow_id' in notify && typeof notify.workflow_id === 'string' ? notify.workflow_id : undefined;
}
