/** A webhook of the OMS: only these are ever called. */
export type NotifyTarget = {
  readonly name: string;
  readonly url: string;
  /** `whsec_…`: each signs, so that a receiver can change from one to the next. */
  readonly secrets: readonly string[];
  /** Whether its name may lead to an address of a private network. */
  readonly mayBePrivate: boolean;
};

/** How the ids of our own workflows begin, and of Temporal's: a signal to one would be a command. */
const reservedPrefixes = [
  ...['payout-', 'order-', 'refund-', 'batch-', 'bulk-retry-', 'account-validation-'],
  ...['token-renewal', 'payout-reconciliation', 'temporal-sys-'],
];

/** Whether a workflow id is, or begins as, one of payments or of Temporal itself. */
export function isReservedWorkflowId(workflowId: string): boolean {
  return reservedPrefixes.some((prefix) => workflowId.startsWith(prefix));
}

/**
 * Why payments may not signal that workflow, in words for its sender; undefined when they may. `prefixes` are those of
 * `NOTIFY_WORKFLOWS`.
 */
export function notifyWorkflowProblem(prefixes: readonly string[], workflowId: string): string | undefined {
  if (isReservedWorkflowId(workflowId))
    return 'is a workflow of payments or of Temporal itself, which are never signalled';
  return prefixes.some((prefix) => prefix !== '' && workflowId.startsWith(prefix))
    ? undefined
    : 'must begin with one of NOTIFY_WORKFLOWS; this installation allows no other workflow';
}

/** The target of that name, or of exactly that URL; undefined for anything else. */
export function findNotifyTarget<Target extends Pick<NotifyTarget, 'name' | 'url'>>(
  targets: readonly Target[],
  webhook: unknown,
): Target | undefined {
  if (typeof webhook !== 'string') return undefined;
  return targets.find(({ name, url }) => name === webhook || url === webhook || url === normal(webhook));
}

function normal(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).href : undefined;
}
