import type { WorkflowInterceptorsFactory } from '@temporalio/workflow';
import { auditCommands } from './shared/audit-commands.js';
import { StandingClock } from './shared/clock.js';
import { passTraceOn } from './shared/pass-trace-on.js';
import { TasksFirst, WholeTasks } from './shared/task-order.js';
import { unopenedMessages } from './shared/unopened-messages.js';

/** Interceptors of all workflows; the workflow bundle has them beside `index.ts`. */
export const interceptors: WorkflowInterceptorsFactory = () => {
  const { inbound, outbound } = passTraceOn();
  const unopened = unopenedMessages();
  return {
    internals: [new StandingClock(), new TasksFirst(), new WholeTasks(), unopened.internals],
    inbound: [...inbound, auditCommands(), unopened.inbound],
    outbound,
  };
};
