import type { Client } from '@temporalio/client';
import {
  TypedSearchAttributes,
  WorkflowExecutionAlreadyStartedError,
  defineSearchAttributeKey,
} from '@temporalio/common';
import { priorityKeys } from '../domain/priorities.js';
import { searchAttributes } from '../domain/search-attributes.js';
import { startedOnceMemo } from '../domain/start-check.js';
import { firstStart } from './first-start.js';

/** One workflow to start under an id that is its idempotency key. */
export type OnceStart = {
  readonly workflowType: string;
  readonly workflowId: string;
  readonly input: Record<string, unknown>;
  readonly searchAttributes?: TypedSearchAttributes;
  /** One line for the Web UI, without personal data. */
  readonly summary: string;
  /** One of {@link priorityKeys}; the usual one when absent. */
  readonly priorityKey?: number;
  /** Whether a recorded input is of the same request. */
  readonly isSame: (recorded: unknown) => boolean;
  /** In which fields a recorded input differs; of some inputs nobody can say. */
  readonly differing?: (recorded: unknown) => readonly string[];
};

/** In what a workflow that has the id already differs from the one to start. */
export type StartDifference = 'workflow_type' | 'request' | 'owner';

/** The outcome of a start: at most one workflow of an id exists, whoever starts it and however often. */
export type StartOutcome = { readonly workflowId: string } & (
  | { readonly kind: 'started' }
  | { readonly kind: 'existing' }
  | {
      readonly kind: 'conflict';
      readonly difference: StartDifference;
      /** The fields that differ, where the request does. */
      readonly fields?: readonly string[];
    }
);

/** For whom something is started. */
export type StartedFor = {
  /** Whose it becomes, by the name of an API key: the search attribute PaymentOwner. Nobody's when absent. */
  readonly owner?: string;
  /** Whether what another owner has started is a conflict, even when it is the same request. */
  readonly onlyOwn?: boolean;
};

export type StartOptions = StartedFor & {
  readonly taskQueue: string;
  /** Only with a NativeConnection that a worker of this process shares: the first task skips the queue. */
  readonly eagerStart?: boolean;
};

/**
 * Starts a workflow, or finds the one that was started under the same id. The same request finds it, also after it
 * was closed, until retention removes it; another request is a conflict.
 *
 * Safe to repeat after any error: it starts at most once.
 */
export async function startOnce(
  client: Client,
  start: OnceStart,
  { taskQueue, eagerStart = false, owner, onlyOwn = false }: StartOptions,
): Promise<StartOutcome> {
  const { workflowType, workflowId } = start;
  try {
    await client.workflow.start(workflowType, {
      workflowId,
      taskQueue,
      args: [start.input],
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      workflowIdConflictPolicy: 'FAIL',
      memo: { [startedOnceMemo]: true },
      typedSearchAttributes: withOwner(start.searchAttributes, owner),
      staticSummary: start.summary,
      priority: { priorityKey: start.priorityKey ?? priorityKeys.usual },
      requestEagerStart: eagerStart,
    });
    return { kind: 'started', workflowId };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  const first = await firstStart(client, workflowId);
  if (onlyOwn && first.owner !== owner) return { kind: 'conflict', workflowId, difference: 'owner' };
  if (first.workflowType !== workflowType)
    return { kind: 'conflict', workflowId, difference: 'workflow_type' };
  return start.isSame(first.input)
    ? { kind: 'existing', workflowId }
    : {
        kind: 'conflict',
        workflowId,
        difference: 'request',
        fields: start.differing?.(first.input) ?? [],
      };
}

function withOwner(
  attributes = new TypedSearchAttributes(),
  owner: string | undefined,
): TypedSearchAttributes {
  if (owner === undefined) return attributes;
  const { name, type } = searchAttributes.PaymentOwner;
  return attributes.updateCopy([{ key: defineSearchAttributeKey(name, type), value: owner }]);
}
