import { setTimeout as sleep } from 'node:timers/promises';
import { QueryNotRegisteredError, WorkflowClient, defaultPayloadConverter } from '@temporalio/client';
import type { Client, WorkflowClientInterceptor } from '@temporalio/client';
import { askAgain, askedAtHeader } from '../domain/ask-again.js';

/** The workflow has not handled its newest events: no worker takes its task, or it was ended before one did. */
export class EventsNotHandledError extends Error {
  override readonly name = 'EventsNotHandledError';
}

/**
 * A worker that is there takes the task within moments, one under load within seconds. Temporal gives a task that was
 * lost to a worker again after ten seconds: the delays last longer than that.
 */
const longMs = 1_600;
const delaysMs: readonly number[] = [50, 100, 200, 400, 800, ...Array<number>(7).fill(longMs)];

/** Queries a workflow, again when it is answered `Ask again`. @throws EventsNotHandledError, and what the client throws */
export async function queryWorkflow(client: Client, workflowId: string, name: string): Promise<unknown> {
  const handle = statingWhen(client).getHandle(workflowId);
  for (const delayMs of [0, ...delaysMs]) {
    if (delayMs > 0) await sleep(delayMs);
    try {
      return await handle.query<unknown>(name);
    } catch (error) {
      // The SDK takes each query that fails for one that the workflow does not have.
      if (!(error instanceof QueryNotRegisteredError) || !error.message.includes(askAgain)) throw error;
    }
    if (delayMs === longMs && (await handle.describe()).status.name !== 'RUNNING') break;
  }
  throw new EventsNotHandledError(askAgain);
}

/** Workers refuse a query that is older than a task of which they know only by that query. */
const statesWhen: WorkflowClientInterceptor = {
  query: ({ headers, ...input }, next) =>
    next({
      ...input,
      headers: { ...headers, [askedAtHeader]: defaultPayloadConverter.toPayload(Date.now()) },
    }),
};

function statingWhen({ workflow: { connection, options } }: Client): WorkflowClient {
  const { interceptors: given } = options;
  const interceptors = Array.isArray(given) ? [...given, statesWhen] : given;
  return new WorkflowClient({ ...options, connection, interceptors });
}
