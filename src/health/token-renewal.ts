import type { Client } from '@temporalio/client';
import { QueryNotRegisteredError, isGrpcServiceError } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { z } from 'zod';
import type { TokenHealth } from '../contract/token.js';
import { PayloadDecryptionError } from '../temporal/payload-codec.js';
import { queryWorkflow } from '../temporal/query-workflow.js';
import type { HealthProblem } from './problem.js';
import { failingTasks, runsOf } from './workflow-tasks.js';

/** Above the ten seconds after which a task of a worker that has gone is given to another. */
const queryMs = 15_000;

const tokenHealth: z.ZodType<TokenHealth> = z.object({
  now: z.iso.datetime(),
  token: z
    .object({ generation: z.int(), issued_at: z.iso.datetime(), expires_at: z.iso.datetime() })
    .nullable(),
});

/** What the workflow that keeps the access token shows of the workers, of their keys and clock, and of the service. */
export type TokenRenewalView = {
  readonly problems: readonly HealthProblem[];
  /** How far the clock of the worker that answered is ahead of this machine's, in milliseconds. */
  readonly workerClockOffsetMs: number | null;
  readonly tokenExpiresAt: number | null;
  /** False when there is none yet: it shows nothing. */
  readonly exists: boolean;
};

const nothing = { problems: [], workerClockOffsetMs: null, tokenExpiresAt: null };

/**
 * Looks at a `tokenRenewal`: it exists in every deployment, its answer needs a worker that reads its history with the
 * right keys, and what it can't do shows what is wrong with the credentials or the service.
 */
export async function viewTokenRenewal(client: Client, workflowId: string): Promise<TokenRenewalView> {
  const [run] = await runsOf(client, [workflowId]);
  if (run?.open !== true) return { ...nothing, exists: false };
  const failing = failingTasks([run]);
  const refusals = run.failedActivities.flatMap(({ type }) => authenticationProblem(type));
  const before = Date.now();
  try {
    const answer = await client.withDeadline(before + queryMs, () =>
      queryWorkflow(client, workflowId, 'health'),
    );
    const { now, token } = tokenHealth.parse(answer);
    const expiresAt = token === null ? null : Date.parse(token.expires_at);
    // The first try of a renewal that is under way is no fault; a token that is still good hides none.
    return {
      problems: refusals,
      workerClockOffsetMs: Date.parse(now) - (before + Date.now()) / 2,
      tokenExpiresAt: expiresAt,
      exists: true,
    };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { ...nothing, exists: false };
    return { ...nothing, problems: [...refusals, ...queryProblem(error, failing)], exists: true };
  }
}

/** The workflow `tokenRenewal` of a task queue, for who does not know the service account; null when there is none. */
export async function findTokenRenewal(client: Client, taskQueue: string): Promise<string | null> {
  const { executions } = await client.workflowService.listWorkflowExecutions({
    namespace: client.options.namespace,
    query: `WorkflowType = 'tokenRenewal' AND ExecutionStatus = 'Running' AND TaskQueue = '${taskQueue}'`,
    pageSize: 1,
  });
  return executions[0]?.execution?.workflowId ?? null;
}

/** What it means that `POST /v1/auth` fails in this way. */
function authenticationProblem(type: string): HealthProblem[] {
  switch (type) {
    case 'Unauthorized':
    case 'Refused':
    case 'NotFound':
      return [
        {
          check: 'credentials',
          detail: 'The payments service rejects the client id or secret: nothing can be sent or read.',
          action: 'Correct PAYMENTS_CLIENT_ID and PAYMENTS_CLIENT_SECRET of all workers and gateways.',
        },
      ];
    case 'NotSent':
    case 'Unreadable':
    case 'Throttled':
      return [
        {
          check: 'service',
          detail: `The payments service gives no access token (${type}): soon nothing can be sent or read.`,
          action: 'Look at the service, and at the way from the workers to PAYMENTS_BASE_URL.',
        },
      ];
    default:
      return [];
  }
}

function queryProblem(error: unknown, failing: HealthProblem[]): HealthProblem[] {
  if (error instanceof QueryNotRegisteredError) return [];
  if (isUndecodable(error)) {
    return [
      {
        check: 'payload_keys',
        detail: 'What the workers write can’t be read with the PAYLOAD_KEYS of this process.',
        action: 'Give all gateways and workers the same PAYLOAD_KEYS, the current one first.',
      },
    ];
  }
  if (failing.length > 0) return failing;
  if (!isGrpcServiceError(error) && !(error instanceof Error && isGrpcServiceError(error.cause))) throw error;
  return [
    {
      check: 'workers',
      detail: 'No worker answers: payments stand still.',
      action:
        'Look at the workers: do they run, with the same PAYMENTS_TASK_QUEUE, namespace and PAYLOAD_KEYS?',
    },
  ];
}

function isUndecodable(error: unknown): boolean {
  return (
    error instanceof PayloadDecryptionError ||
    (error instanceof Error && error.cause instanceof PayloadDecryptionError)
  );
}
