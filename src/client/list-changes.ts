import type { ChangesFilter, ChangesPage } from '../contract/http/changes.js';
import { changesFilter } from '../contract/http/changes.js';
import type { PaymentListing } from '../contract/http/lists.js';
import { paymentKinds } from '../domain/kinds.js';
import { searchAttributes } from '../domain/search-attributes.js';
import type { ServerClock } from '../temporal/server-clock.js';
import { listAll, notContinued } from './list-all.js';
import { parseRequest } from './parse.js';
import { callTemporal } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';
import { withoutEarlierRuns } from './without-earlier-runs.js';
import { listOf, quoted } from './visibility-words.js';

const { PaymentKind, PaymentOwner, PaymentUpdatedAt } = searchAttributes;

/** So many changes are answered at once, unless more came about in one millisecond. */
const mostChanges = 500;
/** Temporal's search may show a change so much later: what is so young is answered again. */
const mayComeLateMs = 30_000;
/** Without an end, a workflow is not completed: nothing in it has noted the change. */
const broken = `ExecutionStatus IN ('Failed', 'Canceled', 'Terminated', 'TimedOut')`;

/**
 * Payments that were started or have changed since a moment, the earliest change first: so an OMS that was down catches
 * up. Each change is answered at least once, as long as Temporal keeps the workflow (its retention).
 *
 * @param clock Temporal's: by it the changes have their times
 * @param taskQueue leaves out the payments of all others
 * @throws InvalidRequestError, TemporalUnavailableError
 */
export async function listChanges(
  calls: TemporalCalls,
  request: ChangesFilter,
  clock: ServerClock,
  taskQueue?: string,
): Promise<ChangesPage> {
  const { owner, since } = parseRequest(changesFilter, request);
  const from = Date.parse(since);
  const now = await callTemporal(calls, () => clock.current());
  const query = (until: number) => changedBetween(from, until, owner, taskQueue);
  const until = await endOfPage(from, now, async (moment) => {
    const counted = await callTemporal(calls, () => calls.client.workflow.count(query(moment)));
    return counted.count;
  });
  const found: PaymentListing[] = [];
  for await (const page of listAll(calls, query(until))) found.push(...page);
  const payments = await withoutEarlierRuns(calls, found);
  const complete = until === now;
  return {
    payments: payments.sort((a, b) => changeOf(a).localeCompare(changeOf(b))),
    next_since: new Date(complete ? now - mayComeLateMs : until).toISOString(),
    complete,
  };
}

/** Temporal's search does not sort by the time of a change, so pages are stretches of time, found by counting. */
async function endOfPage(
  from: number,
  now: number,
  countUntil: (moment: number) => Promise<number>,
): Promise<number> {
  if ((await countUntil(now)) <= mostChanges) return now;
  let [fits, tooMany] = [from, now];
  for (let counts = 1; tooMany - fits > 1; counts += 1) {
    // Some are better than just as many as possible.
    if (fits > from && counts > 8) break;
    const middle = Math.floor((fits + tooMany) / 2);
    const found = await countUntil(middle);
    if (found > mostChanges) tooMany = middle;
    else fits = middle;
    if (found <= mostChanges && found > mostChanges / 2) break;
  }
  return fits > from ? fits : tooMany;
}

function changedBetween(from: number, until: number, owner?: string, taskQueue?: string): string {
  const [since, before] = [from, until].map((ms) => quoted(new Date(ms).toISOString()));
  const between = (time: string) => `${time} >= ${since} AND ${time} < ${before}`;
  const updated = PaymentUpdatedAt.name;
  return [
    `${PaymentKind.name} IN (${listOf(paymentKinds)})`,
    ...(owner === undefined ? [] : [`${PaymentOwner.name} = ${quoted(owner)}`]),
    ...(taskQueue === undefined ? [] : [`TaskQueue = ${quoted(taskQueue)}`]),
    notContinued,
    `((${between(updated)}) OR (${updated} IS NULL AND ${between('StartTime')}) OR (${broken} AND ${between('CloseTime')}))`,
  ].join(' AND ');
}

/** One that was never changed since its start has no time of a change. */
function changeOf({ started_at, updated_at }: PaymentListing): string {
  return updated_at ?? started_at;
}
