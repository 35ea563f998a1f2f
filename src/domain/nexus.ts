import { idPrefixes } from './id-prefixes.js';

/** The name of the Nexus service. */
export const nexusServiceName = 'payments';

/**
 * The task queue that the endpoint of one caller targets. Temporal alone decides by the endpoint which queue an
 * operation comes to, so the queue says who calls.
 */
export function nexusTaskQueue(taskQueue: string, caller: string): string {
  return `${taskQueue}-nexus-${caller}`;
}

/** The workflow id of one who awaits the outcome of a payment. No payment's workflow id of ours has a colon. */
export function outcomeWorkflowId(paymentId: string, requestId: string): string {
  return `${idPrefixes.outcome}${paymentId}:${requestId}`;
}

/** The payment whose outcome a workflow of that id awaits; undefined when it awaits none. */
export function awaitedPayment(
  workflowId: string,
): { kind: 'payout' | 'order'; partner_code: string } | undefined {
  if (!workflowId.startsWith(idPrefixes.outcome)) return undefined;
  const awaited = workflowId.slice(idPrefixes.outcome.length);
  const [, kind, code] = /^(payout|order)-([^:]+):/.exec(awaited) ?? [];
  if (code === undefined) return undefined;
  return { kind: kind === 'payout' ? 'payout' : 'order', partner_code: code };
}
