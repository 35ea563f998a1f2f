import { makeContinueAsNewFunc, workflowInfo, type Workflow } from '@temporalio/workflow';

/**
 * A worker that does not have a run in memory repeats it from its start, within the ten seconds that a task may take. On
 * a busy core that is too short for the 4,096 events after which Temporal suggests a new run.
 */
const longRunEvents = 1_000;

/** Whether to go on in a new run: this one is long, or pinned to a build that is not the one for it any more. */
export function needsNewRun(): boolean {
  const { continueAsNewSuggested, historyLength, targetWorkerDeploymentVersionChanged } = workflowInfo();
  return continueAsNewSuggested || historyLength >= longRunEvents || targetWorkerDeploymentVersionChanged;
}

/**
 * Goes on in a new run; one that is pinned to a build moves to the build that is the one for it by then
 * (docs/upgrades.md). Never returns.
 */
export function goOnInNewRun<Type extends Workflow>(...args: Parameters<Type>): Promise<never> {
  const { targetWorkerDeploymentVersionChanged: moves } = workflowInfo();
  return makeContinueAsNewFunc<Type>(moves ? { initialVersioningBehavior: 'AUTO_UPGRADE' } : {})(...args);
}
