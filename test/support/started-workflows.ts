import type { WorkflowClientInterceptor } from '@temporalio/client';

export type StartedRun = { readonly workflowId: string; readonly runId: string };

/** Remembers each workflow that a client starts, by whichever call. */
export class StartedWorkflows {
  readonly #runs = new Map<string, StartedRun>();

  /** For the `interceptors.workflow` of a client. */
  readonly interceptor: WorkflowClientInterceptor = {
    startWithDetails: async (input, next) => {
      const output = await next(input);
      this.add({ workflowId: input.options.workflowId, runId: output.runId });
      return output;
    },
    signalWithStart: async (input, next) => {
      const runId = await next(input);
      this.add({ workflowId: input.options.workflowId, runId });
      return runId;
    },
    startUpdateWithStart: async (input, next) => {
      const output = await next(input);
      const { workflowId, runId } = output.workflowExecution;
      this.add({ workflowId, runId: runId ?? '' });
      return output;
    },
  };

  /** Adds a workflow that another client started. */
  add(run: StartedRun): void {
    this.#runs.set(`${run.workflowId} ${run.runId}`, run);
  }

  /** Leaves out a workflow that is deleted. */
  forget(workflowId: string): void {
    for (const [key, run] of this.#runs) if (run.workflowId === workflowId) this.#runs.delete(key);
  }

  /** All of them since the last call. */
  take(): StartedRun[] {
    const runs = [...this.#runs.values()];
    this.#runs.clear();
    return runs;
  }
}
