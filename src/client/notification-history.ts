import type { KeptNotification } from '../contract/http/notifications.js';
import { isResentNotificationsId } from '../domain/ids.js';
import { searchAttributes } from '../domain/search-attributes.js';
import { listAll } from './list-all.js';
import { mostRuns, paymentRuns, readRun, type NotifyingRun } from './notification-runs.js';
import type { TemporalCalls } from './temporal-calls.js';
import { quoted } from './visibility-words.js';

/** The notifications of a payment by webhook, in their order, and the workflows in which deliveries still wait. */
export type NotificationHistory = {
  readonly notifications: readonly KeptNotification[];
  readonly waitingIn: readonly string[];
  /** Whether nothing was left unread for the bounds of the reading. */
  readonly complete: boolean;
};

/** How much is read at most: the latest runs of the payment, and of the workflows that deliver for it the latest. */
export type HistoryBounds = { readonly runs: number; readonly deliverers: number };

const nearlyAll: HistoryBounds = { runs: mostRuns, deliverers: Infinity };

/**
 * What became of the notifications of a payment by webhook, as its history and those of the workflows that deliver for
 * it have it. What waits behind the first one that waits has no event yet and is not among them.
 *
 * @throws TemporalUnavailableError; an Error when a payload can't be decoded
 */
export async function readNotifications(
  calls: TemporalCalls,
  workflowId: string,
  bounds = nearlyAll,
): Promise<NotificationHistory> {
  const kept = new Map<string, KeptNotification>();
  const waitingIn = new Set<string>();
  const runs = await paymentRuns(calls, workflowId, bounds.runs);
  for (const { sent } of runs) for (const each of sent.values()) keep(kept, each);
  const latest = runs.at(-1);
  if (latest?.isOver === true) endWaiting(kept);
  else if ([...kept.values()].some(isWaiting)) waitingIn.add(workflowId);

  const isAnyGivenUp = [...kept.values()].some(isGivenUp);
  const resent = isAnyGivenUp
    ? await resentFor(calls, workflowId, kept, bounds)
    : { ids: [], complete: true };
  const deliverers = [...(latest?.deliverers ?? []), ...resent.ids];
  for (const id of deliverers.slice(0, bounds.deliverers)) {
    const run = await readRun(calls, id);
    if (run === undefined) continue;
    const delivered = deliveredBy(run);
    for (const each of delivered) keepBeside(kept, each);
    if (delivered.some(isWaiting)) waitingIn.add(id);
  }
  const notifications = [...kept.values()].sort(
    (a, b) => a.sequence - b.sequence || a.at.localeCompare(b.at),
  );
  const hasEarlier = runs.length === bounds.runs && runs[0]?.previousRunId !== '';
  const complete = !hasEarlier && resent.complete && deliverers.length <= bounds.deliverers;
  return { notifications, waitingIn: [...waitingIn], complete };
}

const isWaiting = ({ delivery }: KeptNotification) => delivery === 'waiting';
const isGivenUp = ({ delivery }: KeptNotification) => delivery === 'given_up';

/** A later run knows better, but what was delivered once is delivered. */
function keep(kept: Map<string, KeptNotification>, notification: KeptNotification): void {
  if (kept.get(notification.id)?.delivery !== 'delivered') kept.set(notification.id, notification);
}

/** Of those that deliver beside each other, it is enough that one still does. */
function keepBeside(kept: Map<string, KeptNotification>, notification: KeptNotification): void {
  if (notification.delivery !== 'given_up' || !kept.has(notification.id)) keep(kept, notification);
}

function endWaiting(kept: Map<string, KeptNotification>): void {
  for (const each of kept.values()) if (isWaiting(each)) kept.set(each.id, { ...each, delivery: 'given_up' });
}

/** All that a workflow `notification` was given, with what became of each. */
function deliveredBy({ given, isOver, sent }: NotifyingRun): KeptNotification[] {
  const begun = new Map([...sent.values()].map((each) => [each.id, each]));
  return given.map((each) => {
    const found = begun.get(each.id) ?? each;
    return isOver && isWaiting(found) ? { ...found, delivery: 'given_up' } : found;
  });
}

/**
 * The workflows that have sent notifications of the payment again, the latest first. Search shows them a moment late.
 * Of its pages no more are read than workflows, for those of other payments with the same code are among them.
 */
async function resentFor(
  calls: TemporalCalls,
  workflowId: string,
  kept: ReadonlyMap<string, KeptNotification>,
  { deliverers: mostPages }: HistoryBounds,
): Promise<{ ids: string[]; complete: boolean }> {
  const code = [...kept.values()][0]?.payment.partner_code ?? '';
  const query = `WorkflowType = 'notification' AND ${searchAttributes.PaymentPartnerCode.name} = ${quoted(code)}`;
  const ids: string[] = [];
  let pages = 0;
  for await (const page of listAll(calls, query)) {
    if (pages === mostPages) return { ids, complete: false };
    pages += 1;
    ids.push(
      ...page.map(({ workflow_id: id }) => id).filter((id) => isResentNotificationsId(id, workflowId)),
    );
  }
  return { ids, complete: true };
}
