import { ApplicationFailure, cancellationSignal, heartbeat } from '@temporalio/activity';
import { isPast, unreadList, withPage, type ListOrder } from '../../src/domain/list-order.js';
import { latestInstantMs } from '../../src/payments-service/instants.js';
import type { PayoutQuery } from '../../src/payments-service/requests.js';
import type { ListedPayout, PayoutList, PayoutRecord } from '../../src/payments-service/result.js';
import type { ReadingDeps } from './deps.js';
import { readService } from './read-service.js';

const perPage = 200;
/** No scan is longer: a list without an end must not keep an activity for ever. */
const maxPages = 5_000;

/** `afterPage` is called once a page; `first` is the page where it begins. */
type ScanOptions = Pick<PayoutQuery, 'status'> & { afterPage?: () => void; first?: number };

export type PayoutPage = { readonly payouts: readonly ListedPayout[]; readonly isLast: boolean };

/** Between two pages of a scan for one activity alone: heartbeats, and ends when that is cancelled. */
function keepScanning(): void {
  heartbeat();
  cancellationSignal().throwIfAborted();
}

/**
 * Scans `GET /v1/payouts` from the newest record back, page by page, to its end.
 *
 * @throws ApplicationFailure when a page could not be read, or when records may have moved from page to page unseen: a
 * scan that ends was complete
 */
export async function* scanPayouts(
  deps: ReadingDeps,
  { afterPage = keepScanning, first = 1, ...filter }: ScanOptions = {},
): AsyncGenerator<PayoutPage> {
  const seen = new Set<string>();
  let order = unreadList;
  let seenTwice = false;
  let previous = '';
  let records = 0;
  for (let page = first; page < first + maxPages; page += 1) {
    const { payouts, isLast } = await readPage(deps, page, filter);
    records += payouts.length;
    if (records > perPage * maxPages) break;
    afterPage();
    const shown = JSON.stringify(payouts);
    if (shown === previous) throw unreadable(`page ${String(page)} is the page before it once more.`);
    previous = shown;
    const ids = payouts.flatMap(({ id }) => id ?? []);
    seenTwice ||= ids.some((id) => seen.has(id));
    for (const id of ids) seen.add(id);
    order = withPage(order, timesOf(payouts));
    // New records shift those of a list that descends, and nothing is missed by that.
    if (isLast && seenTwice && !order.descends) {
      throw unreadable('records moved between its pages while it was read.');
    }
    yield { payouts, isLast };
    if (isLast) return;
  }
  throw unreadable(`the list had no end after ${String(perPage * maxPages)} records.`);
}

/**
 * Reads one page of `GET /v1/payouts`, the newest record first.
 *
 * @throws ApplicationFailure when it could not be read, or is another page
 */
async function readPage(
  deps: ReadingDeps,
  page: number,
  filter: Pick<PayoutQuery, 'status'>,
): Promise<PayoutPage> {
  const query = { page, per_page: perPage, sort: 'created_at', direction: 'desc', ...filter } as const;
  const list = await readService(deps, 'GET /v1/payouts', (service, call) =>
    service.listPayouts(query, call),
  );
  if (list.currentPage !== null && list.currentPage !== page) {
    throw unreadable('the service answered with another page than asked for.');
  }
  const isLast = isLastPage(list, page);
  if (list.payouts.length === 0 && !isLast) {
    throw unreadable(`page ${String(page)} is empty, and more follow.`);
  }
  return { payouts: list.payouts, isLast };
}

/** Takes the pages of a scan in their order; answers after each whether all that follows is older than that time. */
export function endOfScan(notBeforeMs: number): (page: PayoutPage) => boolean {
  let order: ListOrder = unreadList;
  return ({ payouts }) => {
    order = withPage(order, timesOf(payouts));
    return isPast(order, notBeforeMs);
  };
}

function timesOf(payouts: readonly PayoutRecord[]): (number | undefined)[] {
  return payouts.map(({ claimedAt }) => latestInstantMs(claimedAt));
}

/** A count of pages that is missing, or that the records of this page contradict, is no count; after a full page more may follow. */
function isLastPage({ payouts, totalPages }: PayoutList, page: number): boolean {
  if (payouts.length === 0) return page >= (totalPages ?? 0);
  return totalPages !== null && totalPages > 0 && page >= totalPages && payouts.length < perPage;
}

/** The list can't be taken for complete. */
function unreadable(what: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'Unreadable',
    message: `GET /v1/payouts: ${what}`,
    nonRetryable: false,
  });
}
