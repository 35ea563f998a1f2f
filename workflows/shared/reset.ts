import { patched, workflowInfo } from '@temporalio/workflow';
import { checking } from './activities.js';
import type { Sent } from './sending.js';

/**
 * Before it is said that nothing was sent: what became of a payment that has sent nothing in this run, when a run
 * before it, of which a reset has made it forget, may have. Undefined when there was no reset.
 */
export async function sentBeforeReset(): Promise<Extract<Sent, { kind: 'unknown' }> | undefined> {
  if (!patched('look-for-a-reset')) return undefined;
  const { is_reset: isReset } = await checking('see whether this run is a reset').checkRun({
    original_execution_run_id: workflowInfo().originalExecutionRunId,
  });
  if (!isReset) return undefined;
  return {
    kind: 'unknown',
    reason: 'This run of the workflow is a reset: the run before it may have sent the request.',
    verifyFrom: Date.now(),
    dispatchedBefore: true,
  };
}
