import { makeContinueAsNewFunc, workflowInfo, type Workflow } from '@temporalio/workflow';

/** Whether to go on in a new run: this one is long, or pinned to a build that is not the one for it any more. */
export function needsNewRun(): boolean {
  const { continueAsNewSuggested, targetWorkerDeploymentVersionChanged } = workflowInfo();
  return continueAsNewSuggested || targetWorkerDeploymentVersionChanged;
}

/**
 * Goes on in a new run; one that is pinned to a build moves to the build that is the one for it by then
 * (docs/upgrades.md). Never returns.
 */
export function goOnInNewRun<Type extends Workflow>(...args: Parameters<Type>): Promise<never> {
  const { targetWorkerDeploymentVersionChanged: moves } = workflowInfo();
  return makeContinueAsNewFunc<Type>(moves ? { initialVersioningBehavior: 'AUTO_UPGRADE' } : {})(...args);
}
