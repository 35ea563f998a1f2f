import type { PaymentListing } from '../contract/http/lists.js';
import { isPayoutId } from '../domain/ids.js';
import { orderKinds, workflowTypes } from '../domain/kinds.js';
import { searchAttributes } from '../domain/search-attributes.js';
import { identifierKey, spellingsOf } from '../domain/service-ids.js';
import type { ServerClock } from '../temporal/server-clock.js';
import { listAll, notContinued } from './list-all.js';
import { listChanges } from './list-changes.js';
import type { TemporalCalls } from './temporal-calls.js';
import { listOf, quoted } from './visibility-words.js';
import { withoutEarlierRuns } from './without-earlier-runs.js';

/** How many identifiers one query searches. */
const searchedAtOnce = 100;
const owningKinds = ['payout', ...orderKinds] as const;

/** An identifier of the service, and the workflow ids of the orders, or of the payouts, that have it. */
type IdentifierOwners = { readonly serviceId: string; readonly workflowIds: readonly string[] };

/** The result of one search of shared identifiers. */
type SharedPage = {
  readonly shared: readonly IdentifierOwners[];
  readonly next_since: string;
  readonly complete: boolean;
};

/**
 * Who has these identifiers of the service. An order and a payout may have the same one: these are two entries.
 *
 * @throws TemporalUnavailableError
 */
export async function identifierOwners(
  calls: TemporalCalls,
  taskQueue: string,
  serviceIds: readonly string[],
): Promise<IdentifierOwners[]> {
  const found = new Map<string, PaymentListing[]>();
  for (let at = 0; at < serviceIds.length; at += searchedAtOnce) {
    const some = serviceIds.slice(at, at + searchedAtOnce).flatMap(spellingsOf);
    const query = [
      `TaskQueue = ${quoted(taskQueue)}`,
      `WorkflowType IN (${listOf(owningKinds.map((kind) => workflowTypes[kind]))})`,
      notContinued,
      `${searchAttributes.PaymentServiceId.name} IN (${listOf(some)})`,
    ].join(' AND ');
    for await (const page of listAll(calls, query)) {
      for (const payment of page) {
        const resource = isPayoutId(payment.workflow_id) ? 'payout' : 'order';
        const key = `${resource} ${identifierKey(payment.service_id ?? '')}`;
        found.set(key, [...(found.get(key) ?? []), payment]);
      }
    }
  }
  return Promise.all(
    [...found.values()].map(async (payments) => ({
      serviceId: payments[0]?.service_id ?? '',
      workflowIds: (await withoutEarlierRuns(calls, payments)).map(({ workflow_id: id }) => id),
    })),
  );
}

/**
 * Finds identifiers that two of our payments have, at least one of which is on this page of changes since a moment.
 *
 * @returns `next_since`: where the next page begins; it includes the latest changes, which search may not show yet.
 * `complete`: whether this page reached the present
 * @throws TemporalUnavailableError
 */
export async function findShared(
  calls: TemporalCalls,
  taskQueue: string,
  clock: ServerClock,
  since: string,
): Promise<SharedPage> {
  const { complete, next_since, payments } = await listChanges(calls, { since }, clock, taskQueue);
  const ids = payments.flatMap(({ kind, service_id: id }) =>
    id !== null && owningKinds.some((each) => each === kind) ? [id] : [],
  );
  const owners = await identifierOwners(calls, taskQueue, [...new Set(ids)]);
  return { shared: owners.filter(({ workflowIds }) => workflowIds.length > 1), next_since, complete };
}
