import { ApplicationFailure, cancellationSignal, heartbeat } from '@temporalio/activity';
import { latestInstantMs } from '../../src/payments-service/instants.js';
import type { PayoutQuery } from '../../src/payments-service/requests.js';
import type { PayoutList, PayoutRecord } from '../../src/payments-service/result.js';
import type { ReadingDeps } from './deps.js';
import { readService } from './read-service.js';

const perPage = 200;
/** No walk is longer: a list without an end must not keep an activity for ever. */
const maxPages = 5_000;

/**
 * Walks `GET /v1/payouts` from the newest record back, page by page, to its end. Heartbeats once a page.
 *
 * @throws ApplicationFailure when a page could not be read, so that a walk that ends was whole
 */
export async function* walkPayouts(
  deps: ReadingDeps,
  filter: Pick<PayoutQuery, 'status'> = {},
): AsyncGenerator<PayoutRecord[]> {
  for (let page = 1; page <= maxPages; page += 1) {
    const query = { page, per_page: perPage, sort: 'created_at', direction: 'desc', ...filter } as const;
    const list = await readService(deps, 'GET /v1/payouts', (service, call) =>
      service.listPayouts(query, call),
    );
    heartbeat();
    cancellationSignal().throwIfAborted();
    if (list.currentPage !== null && list.currentPage !== page) {
      throw unreadable('the service answered with another page than asked for.');
    }
    yield list.payouts;
    if (isLastPage(list, page)) return;
  }
  throw unreadable(`the list had no end after ${String(maxPages)} pages.`);
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

function unreadable(what: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'Unreadable',
    message: `GET /v1/payouts: ${what}`,
    nonRetryable: false,
  });
}
