import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';

/** A query takes two seconds: a read ends while it is answered. The thread sleeps, for a workflow has no clock. */
export const interceptors: WorkflowInterceptorsFactory = () => ({
  inbound: [
    {
      handleQuery: (input, next) => {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000);
        return next(input);
      },
    },
  ],
});
