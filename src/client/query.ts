import { grpcCode } from '../temporal/grpc-codes.js';
import { queryWorkflow } from '../temporal/query-workflow.js';
import { TemporalUnavailableError } from './errors.js';
import { orTasksFailing } from './tasks-failing.js';
import { callTemporal, failedPrecondition, type TemporalCalls } from './temporal-calls.js';

/** Queries a workflow, with a deadline. @throws TasksFailingError, TemporalUnavailableError; otherwise what the query throws */
export async function query(calls: TemporalCalls, workflowId: string, name: string): Promise<unknown> {
  try {
    return await callTemporal(calls, () => queryWorkflow(calls.client, workflowId, name));
  } catch (error) {
    const unavailable = grpcCode(error) === failedPrecondition ? new TemporalUnavailableError(error) : error;
    throw await orTasksFailing(calls, workflowId, unavailable);
  }
}
