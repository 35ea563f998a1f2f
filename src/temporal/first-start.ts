import type { Client } from '@temporalio/client';
import { isGrpcServiceError } from '@temporalio/client';
import { defaultPayloadConverter, type Payload } from '@temporalio/common';
import { searchAttributes } from '../domain/search-attributes.js';
import { decodePayload } from './decode-payload.js';

/** How a workflow began: its type, its first argument as it was recorded, and who owns it since then. */
export type FirstStart = {
  readonly workflowType: string;
  readonly input: unknown;
  readonly owner: string | undefined;
};

const GRPC_NOT_FOUND = 5;

/**
 * Reads how a workflow began: the first event of its first run and nothing more, whether it is open, closed or was
 * continued as new. When retention has already removed the first run, the current run speaks for it: a run that
 * continues another carries the same input.
 *
 * @throws what the Temporal client throws; an Error when the payload can't be decoded.
 */
export async function firstStart(client: Client, workflowId: string): Promise<FirstStart> {
  const current = await startedEvent(client, workflowId);
  const firstRunId = current.firstExecutionRunId ?? '';
  const isFirst = firstRunId === '' || firstRunId === current.originalExecutionRunId;
  const started = isFirst
    ? current
    : await startedEvent(client, workflowId, firstRunId).catch(orElse(current));
  const [payload] = started.input?.payloads ?? [];
  return {
    workflowType: started.workflowType?.name ?? '',
    owner: ownerIn(started.searchAttributes?.indexedFields),
    input: payload === undefined ? undefined : await decodePayload(client, payload),
  };
}

function ownerIn(fields: Record<string, Payload> | null | undefined): string | undefined {
  const payload = fields?.[searchAttributes.PaymentOwner.name];
  if (payload === undefined) return undefined;
  const value = [defaultPayloadConverter.fromPayload<unknown>(payload)].flat()[0];
  return typeof value === 'string' ? value : undefined;
}

async function startedEvent(client: Client, workflowId: string, runId?: string) {
  const { history } = await client.workflowService.getWorkflowExecutionHistory({
    namespace: client.options.namespace,
    execution: { workflowId, ...(runId === undefined ? {} : { runId }) },
    maximumPageSize: 1,
  });
  const attributes = history?.events?.[0]?.workflowExecutionStartedEventAttributes;
  if (attributes == null) throw new Error(`The history of ${workflowId} does not begin with its start.`);
  return attributes;
}

function orElse<T>(fallback: T) {
  return (error: unknown): T => {
    if (isGrpcServiceError(error) && Number(error.code) === GRPC_NOT_FOUND) return fallback;
    throw error;
  };
}
