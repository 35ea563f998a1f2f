import type { Client } from '@temporalio/client';
import { isGrpcServiceError } from '@temporalio/client';
import { optionalTsToDate } from '@temporalio/common/lib/time.js';
import { grpcCode } from '../temporal/grpc-codes.js';
import { TasksFailingError, TemporalUnavailableError } from './errors.js';
import { taskFailedOften } from '../domain/call-limits.js';
import { listing } from './listing.js';
import type { TemporalCalls } from './temporal-calls.js';

/** Its caller has waited for the query already. */
const describeMs = 3_000;

/** The error of a query; a TasksFailingError where the workflow does not answer because its tasks fail. */
export async function orTasksFailing(
  { client, callTimeoutMs }: TemporalCalls,
  workflowId: string,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof TemporalUnavailableError) && grpcCode(error) === undefined) return error;
  const { namespace } = client.options;
  const described = await client
    .withDeadline(Date.now() + Math.min(callTimeoutMs, describeMs), () =>
      client.workflowService.describeWorkflowExecution({ namespace, execution: { workflowId } }),
    )
    .catch((failure: unknown) => {
      if (isGrpcServiceError(failure)) return null;
      throw failure;
    });
  const { pendingWorkflowTask: task, workflowExecutionInfo: info } = described ?? {};
  const attempts = task?.attempt ?? 0;
  if (info == null || attempts < taskFailedOften) return error;
  const { attention, status, updated_at: at } = listing(info);
  const words = [`status ${status ?? ''}`, ...(attention === null ? [] : [`attention ${attention}`])];
  const published = status === null ? null : `${words.join(', ')}${at === null ? '' : ` (${at})`}`;
  const since = await client
    .withDeadline(Date.now() + describeMs, () => firstFailure(client, workflowId))
    .catch(() => null);
  return new TasksFailingError(workflowId, { attempts, published, since }, error);
}

/** When a workflow task failed for the first time since the last one that did not; null when that is long ago. */
async function firstFailure(
  { options, workflowService }: Client,
  workflowId: string,
): Promise<string | null> {
  const { history } = await workflowService.getWorkflowExecutionHistoryReverse({
    ...{ namespace: options.namespace, execution: { workflowId }, maximumPageSize: 100 },
  });
  const events = history?.events ?? [];
  const handled = events.findIndex((event) => event.workflowTaskCompletedEventAttributes != null);
  const failed = events
    .slice(0, handled < 0 ? undefined : handled)
    .findLast(
      (event) => event.workflowTaskFailedEventAttributes ?? event.workflowTaskTimedOutEventAttributes,
    );
  return optionalTsToDate(failed?.eventTime)?.toISOString() ?? null;
}
