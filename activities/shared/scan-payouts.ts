import { ApplicationFailure, cancellationSignal, heartbeat } from '@temporalio/activity';
import { latestInstantMs } from '../../src/payments-service/instants.js';
import type { PayoutQuery } from '../../src/payments-service/requests.js';
import type { ListedPayout, PayoutList, PayoutRecord } from '../../src/payments-service/result.js';
import type { ReadingDeps } from './deps.js';
import { readService } from './read-service.js';

const perPage = 200;
/** No scan is longer: a list without an end must not keep an activity for ever. */
const maxPages = 5_000;

/** Between two pages of a scan for one activity alone: heartbeats, and ends when that is cancelled. */
export function keepScanning(): void {
  heartbeat();
  cancellationSignal().throwIfAborted();
}

/**
 * Scans `GET /v1/payouts` from the newest record back, page by page, to its end. Calls `afterPage` once a page.
 *
 * @throws ApplicationFailure when a page could not be read, so that a scan that ends was complete
 */
export async function* scanPayouts(
  deps: ReadingDeps,
  filter: Pick<PayoutQuery, 'status'> = {},
  afterPage: () => void = keepScanning,
): AsyncGenerator<PayoutRecord[]> {
  for (let page = 1; page <= maxPages; page += 1) {
    const { payouts, isLast } = await readPage(deps, page, filter);
    afterPage();
    yield payouts;
    if (isLast) return;
  }
  throw unreadable(`the list had no end after ${String(maxPages)} pages.`);
}

/**
 * Reads one page of `GET /v1/payouts`, the newest record first.
 *
 * @throws ApplicationFailure when it could not be read, or is another page
 */
export async function readPage(
  deps: ReadingDeps,
  page: number,
  filter: Pick<PayoutQuery, 'status'> = {},
): Promise<{ payouts: ListedPayout[]; isLast: boolean }> {
  const query = { page, per_page: perPage, sort: 'created_at', direction: 'desc', ...filter } as const;
  const list = await readService(deps, 'GET /v1/payouts', (service, call) =>
    service.listPayouts(query, call),
  );
  if (list.currentPage !== null && list.currentPage !== page) {
    throw unreadable('the service answered with another page than asked for.');
  }
  return { payouts: list.payouts, isLast: isLastPage(list, page) };
}

/** Whether every record with a readable time is older, and there is one; a single stray one proves nothing. */
export function allOlder(payouts: readonly PayoutRecord[], notBeforeMs: number): boolean {
  const times = payouts
    .map(({ claimedAt }) => latestInstantMs(claimedAt))
    .filter((time) => time !== undefined);
  return times.length > 0 && times.every((time) => time < notBeforeMs);
}

function isLastPage({ payouts, totalPages }: PayoutList, page: number): boolean {
  return totalPages === null ? payouts.length === 0 : page >= totalPages;
}

/** The list can't be taken for complete. */
export function unreadable(what: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'Unreadable',
    message: `GET /v1/payouts: ${what}`,
    nonRetryable: false,
  });
}
