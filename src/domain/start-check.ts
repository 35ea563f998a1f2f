import { partnerCodeProblem, refundWorkflowId, workflowIdOf } from './ids.js';
import type { PaymentKind } from './kinds.js';

/** The parts of a workflow's own facts that decide whether it may start at all. */
export type StartFacts = {
  workflowId: string;
  attempt: number;
  hasRetryPolicy: boolean;
  hasCronSchedule: boolean;
  /** Of a refund: the order's identifier at the service, by its input. */
  serviceId?: unknown;
};

/**
 * Why a workflow must not begin, in words for whoever started it; undefined when it may. It looks at what would
 * break the promise of one payment under one id; the rest of the input is checked by the first activity.
 */
export function startProblem(kind: PaymentKind, partnerCode: unknown, facts: StartFacts): string | undefined {
  if (typeof partnerCode !== 'string') return 'partner_code must be a text.';
  const problem = partnerCodeProblem(kind, partnerCode);
  if (problem !== undefined) return `partner_code ${problem}.`;
  const idProblem = kind === 'refund' ? refundIdProblem(facts) : paymentIdProblem(kind, partnerCode, facts);
  if (idProblem !== undefined) return idProblem;
  if (facts.attempt > 1 || facts.hasRetryPolicy || facts.hasCronSchedule) {
    return 'A payment must not be started with a retry policy or a cron schedule: each run would pay again.';
  }
  return undefined;
}

function paymentIdProblem(
  kind: PaymentKind,
  partnerCode: string,
  { workflowId }: StartFacts,
): string | undefined {
  const expected = workflowIdOf(kind, partnerCode);
  if (workflowId === expected) return undefined;
  return `The workflow id must be ${expected}: it keeps a partner_code from being paid twice.`;
}

function refundIdProblem({ workflowId, serviceId }: StartFacts): string | undefined {
  if (typeof serviceId !== 'string') return 'service_id must be a text.';
  const expected = refundWorkflowId(serviceId);
  if (workflowId === expected) return undefined;
  return `The workflow id must be ${expected}: it keeps an order from being refunded twice.`;
}
