import { partnerCodeProblem, refundWorkflowId, workflowIdOf } from './ids.js';
import type { PaymentKind } from './kinds.js';

/**
 * Memo of a start that Temporal itself refused to make under an id used before ("reject duplicate"). Without it the
 * first send looks for an earlier run: a workflow can't see which reuse policy it was started with.
 */
export const startedOnceMemo = 'started_once';

/** A run of a workflow, and the first run of the chain that it continues. */
export type RunOfChain = { readonly workflowId: string; readonly runId: string; readonly firstRunId: string };

/** Whether a workflow id was used before a chain of runs: `unknown` when Temporal's search did not show it. */
export type EarlierRun = 'none' | 'found' | 'unknown';

/** What decides whether a workflow may start at all, as `workflowInfo()` and its input have it. */
export type StartInfo = {
  workflowId: string;
  attempt: number;
  hasRetryPolicy: boolean;
  hasCronSchedule: boolean;
  /** An execution or run timeout: Temporal would close the payment, and nobody would follow its money. */
  hasTimeout?: boolean;
  /** Of a refund: the order's identifier at the service, by its input. */
  serviceId?: unknown;
};

/**
 * Why a workflow must not begin, in words for whoever started it; undefined when it may. It looks at what would
 * break the promise of one payment under one id; the rest of the input is checked by the first activity.
 */
export function startProblem(kind: PaymentKind, partnerCode: unknown, info: StartInfo): string | undefined {
  if (typeof partnerCode !== 'string') return 'partner_code must be a text.';
  const problem = partnerCodeProblem(kind, partnerCode);
  if (problem !== undefined) return `partner_code ${problem}.`;
  const idProblem = kind === 'refund' ? refundIdProblem(info) : paymentIdProblem(kind, partnerCode, info);
  if (idProblem !== undefined) return idProblem;
  if (info.attempt > 1 || info.hasRetryPolicy || info.hasCronSchedule) {
    return 'A payment must not be started with a retry policy or a cron schedule: each run would pay again.';
  }
  if (info.hasTimeout === true) {
    return 'A payment must not be started with an execution or run timeout: its money would no longer be followed.';
  }
  return undefined;
}

function paymentIdProblem(
  kind: PaymentKind,
  partnerCode: string,
  { workflowId }: StartInfo,
): string | undefined {
  const expected = workflowIdOf(kind, partnerCode);
  if (workflowId === expected) return undefined;
  return `The workflow id must be ${expected}: it keeps a partner_code from being paid twice.`;
}

function refundIdProblem({ workflowId, serviceId }: StartInfo): string | undefined {
  if (typeof serviceId !== 'string') return 'service_id must be a text.';
  const expected = refundWorkflowId(serviceId);
  if (workflowId === expected) return undefined;
  return `The workflow id must be ${expected}: it keeps an order from being refunded twice.`;
}
