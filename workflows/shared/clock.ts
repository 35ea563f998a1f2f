import {
  workflowInfo,
  type ActivateInput,
  type DisposeInput,
  type Next,
  type WorkflowInternalsInterceptor,
} from '@temporalio/workflow';

type Job = NonNullable<ActivateInput['activation']['jobs']>[number];

/** Of each workflow that this worker holds, by its run: they share this module. */
const times = new Map<string, number>();

/**
 * The workflow's time in milliseconds since the epoch, which stands still while local activities end. The SDK's own
 * time goes on with them, and not by the same in a replay (docs/decisions/time-in-replays.md): two moments of which
 * one was reckoned from that time may stand in another order there.
 */
export const standingNow = (): number => times.get(workflowInfo().runId) ?? 0;

/**
 * Goes on at the time at which a read was asked for, by what its marker says. In an execution that is the time anyway.
 * A replay may come to the read at another one: that of a later task, where the first was lost or kept by heartbeats.
 */
export function goOnAt(askedAt: number): void {
  times.set(workflowInfo().runId, askedAt);
}

/** Sets the time at whatever comes to a workflow but the end of a local activity and queries. */
export class StandingClock implements WorkflowInternalsInterceptor {
  activate(input: ActivateInput, next: Next<WorkflowInternalsInterceptor, 'activate'>): void {
    if ((input.activation.jobs ?? []).some(moves)) goOnAt(Math.max(standingNow(), Date.now()));
    next(input);
  }

  /** The worker drops the workflow; when it takes it up again, all of its history comes to it. */
  dispose(input: DisposeInput, next: Next<WorkflowInternalsInterceptor, 'dispose'>): void {
    times.delete(workflowInfo().runId);
    next(input);
  }
}

const moves = ({ queryWorkflow, removeFromCache, resolveActivity }: Job) =>
  queryWorkflow == null && removeFromCache == null && resolveActivity?.isLocal !== true;

/** The time of a read that a reading, or the details of its failure, state; a timeout states none. */
export function askedAtOf(stated: unknown): number | undefined {
  const isStated = typeof stated === 'object' && stated !== null && 'asked_at' in stated;
  return isStated && typeof stated.asked_at === 'number' ? stated.asked_at : undefined;
}
