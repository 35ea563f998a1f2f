import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';
import { auditCommands } from './shared/audit-commands.js';
import { passTraceOn } from './shared/pass-trace-on.js';
import { QueriesAheadOfTasks } from './shared/queries-ahead-of-tasks.js';
import { unopenedMessages } from './shared/unopened-messages.js';

/** Interceptors of all workflows; the workflow bundle has them beside `index.ts`. */
export const interceptors: WorkflowInterceptorsFactory = () => {
  const { inbound, outbound } = passTraceOn();
  const unopened = unopenedMessages();
  return {
    internals: [new QueriesAheadOfTasks(), unopened.internals],
    inbound: [...inbound, auditCommands(), unopened.inbound],
    outbound,
  };
};
