import { idPrefixes } from './id-prefixes.js';
import { asRecord } from './records.js';

/** Whose payments may notify a receiver, by the names of their API keys; null: everybody's. */
export type NotifyKeys = readonly string[] | null;

/** A webhook of the OMS: only these are ever called. */
export type NotifyTarget = {
  readonly name: string;
  readonly url: string;
  readonly keys: NotifyKeys;
  /** `whsec_…`: each signs, so that a receiver can change from one to the next. */
  readonly secrets: readonly string[];
  /** Whether its name may lead to an address of a private network. */
  readonly mayBePrivate: boolean;
};

export type NotifyTargetAddress = Pick<NotifyTarget, 'name' | 'url' | 'keys'>;

/** What the ids of workflows begin with that payments may signal: everybody's, or those of these keys. */
export type NotifyWorkflows = string | { readonly prefix: string; readonly keys: NotifyKeys };

/** Whom payments may notify; `notifyTargets` is absent where the webhooks are not known, and left to the workers. */
export type Notifiable = {
  readonly notifyTargets?: readonly NotifyTargetAddress[] | undefined;
  readonly notifyWorkflows: readonly NotifyWorkflows[];
};

/** How the ids of our own workflows begin, and of Temporal's: a signal to one would be a command. */
const reservedPrefixes = [...Object.values(idPrefixes), 'temporal-sys-'];

/** A shorter prefix allows almost any workflow of the namespace. */
const shortestPrefix = 2;

/** No name and no URL of a webhook is longer. */
const longestWebhook = 2_048;

export const noWebhook = 'is not a webhook of this installation that you may use: NOTIFY_TARGETS has them';

/** Whether a workflow id is, or begins as, one of payments or of Temporal itself. */
export function isReservedWorkflowId(workflowId: string): boolean {
  return reservedPrefixes.some((prefix) => workflowId.startsWith(prefix));
}

/** Whether NOTIFY_WORKFLOWS may not hold a prefix: ids of payments or of Temporal begin with it, or it with theirs. */
export function isReservedPrefix(prefix: string): boolean {
  return isReservedWorkflowId(prefix) || reservedPrefixes.some((reserved) => reserved.startsWith(prefix));
}

/** Whether a prefix is too short to tell workflows apart. */
export function isTooShortPrefix(prefix: string): boolean {
  return prefix.length < shortestPrefix;
}

/** Whether a payment of that owner may use it; a payment of nobody may use what is everybody's. */
function mayUse(keys: NotifyKeys, owner: string | null): boolean {
  return keys === null || (owner !== null && keys.includes(owner));
}

/**
 * Why a payment of that owner may not signal that workflow, in words for its sender; undefined when it may. `allowed` is
 * `NOTIFY_WORKFLOWS`. What belongs to other keys is answered like what is not there.
 */
export function notifyWorkflowProblem(
  allowed: readonly NotifyWorkflows[],
  workflowId: string,
  owner: string | null,
): string | undefined {
  if (isReservedWorkflowId(workflowId))
    return 'is a workflow of payments or of Temporal itself, which are never signalled';
  return allowed.some((entry) => {
    const { prefix, keys } = typeof entry === 'string' ? { prefix: entry, keys: null } : entry;
    return prefix !== '' && workflowId.startsWith(prefix) && mayUse(keys, owner);
  })
    ? undefined
    : 'must begin with one of NOTIFY_WORKFLOWS that you may use; no other workflow is signalled';
}

/** The target of that name, or of exactly that URL, among those that payments of that owner may use; else undefined. */
export function findNotifyTarget<Target extends NotifyTargetAddress>(
  targets: readonly Target[],
  webhook: unknown,
  owner: string | null,
): Target | undefined {
  if (typeof webhook !== 'string' || webhook.length > longestWebhook) return undefined;
  const written = URL.canParse(webhook) ? new URL(webhook).href : webhook;
  return targets.find(
    ({ name, url, keys }) => (name === webhook || url === webhook || url === written) && mayUse(keys, owner),
  );
}

/** Why a payment of that owner may not notify whom its request names; undefined when it may, or names nobody. */
export function notifyProblem(
  { notifyTargets, notifyWorkflows }: Notifiable,
  owner: string | null,
  payment: unknown,
): { field: string; message: string } | undefined {
  const { webhook, workflow_id: workflowId } = asRecord(asRecord(payment).notify);
  if (
    typeof webhook === 'string' &&
    notifyTargets !== undefined &&
    findNotifyTarget(notifyTargets, webhook, owner) === undefined
  )
    return { field: 'notify.webhook', message: noWebhook };
  const message =
    typeof workflowId === 'string' ? notifyWorkflowProblem(notifyWorkflows, workflowId, owner) : undefined;
  return message === undefined ? undefined : { field: 'notify.workflow_id', message };
}
