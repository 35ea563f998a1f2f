import { isResetRun } from '../../activities/shared/reset-run.js';
import type { Attention } from '../../src/domain/attention.js';
import type { CommandName } from '../../src/domain/stage-table.js';
import type { Run } from '../../workflows/shared/run.js';
import type { Violation } from '../simulation/violation.js';
import { runOf } from '../support/run-of.js';
import type { Choices } from './choices.js';

/** What of a run of the workflow a run that goes on from it knows. A reset run keeps the original id of its run. */
export type RunFacts = Pick<Run, 'afterReset' | 'resetBefore'> & {
  readonly id: number;
  readonly originalId: number;
};

/** Where a run waits: what it would hand on, and what is known of it beside. */
export type Waiting = {
  readonly snapshot: string;
  readonly snapshotShape: string;
  readonly needsFreshRun: boolean;
  readonly run: RunFacts;
  readonly stage: string;
  readonly attention: Attention | null;
};

/** A payment that waits, what the service holds, and the waits before, to each of which it may be reset. */
export type World<Service> = Waiting & {
  readonly now: number;
  readonly until: number | null;
  readonly closed: boolean;
  readonly service: Service;
  readonly runs: number;
  readonly resets: number;
  readonly before: Readonly<Record<string, Waiting>>;
};

/** One step of a lifecycle: what its calls are answered from. */
export type Step<P, Service> = {
  readonly payment: P;
  /** A copy of its own. */
  readonly service: Service;
  readonly choices: Choices;
  readonly clock: { now: number };
  /** What an activity answers when it is asked whether its run is a reset. */
  readonly seesReset: boolean;
};

/** A command as somebody sends it, and what it means for the service. */
export type SentCommand<Service> = {
  readonly name: CommandName;
  readonly message: object;
  readonly executed?: (service: Service, fail: (why: Violation) => void) => void;
  readonly refused?: (service: Service) => void;
};

/** Of a payment that was neither reset nor goes on from another run. */
export const firstRun: RunFacts = { id: 1, originalId: 1, afterReset: false, resetBefore: null };

export const startsAt = Date.UTC(2026, 0, 5, 12);
/** As every decision needs it. */
export const operator = { by: 'ana', reason: 'explored' };

export function isReset({ id, originalId }: RunFacts): boolean {
  return id !== originalId;
}

/** What an activity of ours sees of a run. */
export function seesReset(workflowId: string, { id, originalId }: RunFacts): boolean {
  return isResetRun({ workflowExecution: { workflowId, runId: runId(id) } }, runId(originalId));
}

/** The run that goes on from one. */
export function nextRun(run: RunFacts, id: number): RunFacts {
  return {
    ...{ id, originalId: id },
    afterReset: run.afterReset || isReset(run),
    resetBefore: isReset(run) ? runId(run.id) : null,
  };
}

export function runId(id: number): string {
  return `run-${String(id)}`;
}

/** All that a payment may know of its run. */
export function factsOf(workflowId: string, run: RunFacts, clock: { readonly now: number }): Run {
  const { afterReset, id, resetBefore } = run;
  return runOf(workflowId, {
    ...{ runId: runId(id), originalRunId: runId(run.originalId), isReset: isReset(run) },
    ...{ afterReset, resetBefore, startedAt: startsAt, now: () => clock.now, random: () => 0.5 },
  });
}
