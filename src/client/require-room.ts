import { WorkflowNotFoundError } from '@temporalio/common';
import { mostRunning } from '../domain/batch-limits.js';
import { searchAttributes } from '../domain/search-attributes.js';
import { TooManyRunningError } from './errors.js';
import { describeExecution } from './execution.js';
import { callTemporal } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';
import { quoted } from './visibility-words.js';

/**
 * Refuses one more of what acts on payments by the hundred while its owner has as many running as one may, so that
 * nobody takes all the slots of the others. What exists already may be sent again. Search is a moment behind, so a few
 * more may begin in that moment; what is nobody's has no bound.
 *
 * @throws TooManyRunningError, TemporalUnavailableError
 */
export async function requireRoom(
  calls: TemporalCalls,
  workflowType: keyof typeof mostRunning,
  workflowId: string,
  owner: string | undefined,
): Promise<void> {
  if (owner === undefined) return;
  const most = mostRunning[workflowType];
  const own = `${searchAttributes.PaymentOwner.name} = ${quoted(owner)}`;
  const query = `WorkflowType = '${workflowType}' AND ExecutionStatus = 'Running' AND ${own}`;
  const { count } = await callTemporal(calls, () => calls.client.workflow.count(query));
  if (count >= most && !(await exists(calls, workflowId))) throw new TooManyRunningError(workflowType, most);
}

async function exists(calls: TemporalCalls, workflowId: string): Promise<boolean> {
  try {
    await describeExecution(calls, workflowId);
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
