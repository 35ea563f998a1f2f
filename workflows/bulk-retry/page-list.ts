import type { AllowRetries, BulkRetryPageProgress, SelectedPayout } from '../../src/contract/bulk-retry.js';
import { noTallies, totalOf, type Tallies } from '../../src/domain/bulk-retry.js';

/** What a bulk retry knows of one of its pages. */
export type PageSnapshot = {
  /** Part of its workflow id. Those of a run before a reset have others. */
  number: number;
  size: number;
  /** How many of its payouts were tried once: retried, refused, or not answered. */
  next: number;
  tallies: Tallies;
  /** The latest allowance that was sent to it. */
  sent: AllowRetries;
  /** The number of the latest allowance that it is through with. */
  idleAfter: number;
  over: boolean;
  /** The codes of payouts that have not answered. */
  unanswered: string[];
};

/** Which payouts may be retried now: none, none ever more, the first ones, or those of one page after the other. */
export type Turn =
  { kind: 'not_now' } | { kind: 'never' } | { kind: 'canary'; payouts: number } | { kind: 'in_turn' };

type Allowance = Omit<AllowRetries, 'number'>;

/** The pages of a bulk retry: how far each is, and what it may do. Pages take turns, so that all share one pace. */
export class PageList {
  constructor(private readonly pages: PageSnapshot[]) {}

  get count(): number {
    return this.pages.length;
  }

  /** Whether all payouts were retried or refused. */
  get areRetried(): boolean {
    return this.pages.every(({ next, size }) => next >= size);
  }

  get areOver(): boolean {
    return this.pages.every(({ over }) => over);
  }

  get numbers(): number[] {
    return this.pages.map(({ number }) => number);
  }

  /** A page was started with these payouts. */
  add(number: number, payouts: readonly SelectedPayout[]): void {
    const centavos = payouts.reduce((sum, payout) => sum + payout.centavos, 0);
    this.pages.push({
      number,
      size: payouts.length,
      next: 0,
      tallies: { ...noTallies(), pending: { count: payouts.length, centavos } },
      sent: { number: 0, up_to: 0, last: false },
      idleAfter: 0,
      over: false,
      unanswered: [],
    });
  }

  applyProgress({
    allowed,
    idle,
    next,
    over,
    page: number,
    tallies,
    unanswered,
  }: BulkRetryPageProgress): void {
    const page = this.#find(number);
    if (page === undefined) return;
    Object.assign(page, { next, tallies, over, unanswered });
    if (idle) page.idleAfter = allowed;
  }

  /** A page is gone before it was over; false when it was over. */
  lost(number: number): boolean {
    const page = this.#find(number);
    if (page === undefined || page.over) return false;
    Object.assign(page, { over: true, next: page.size });
    return true;
  }

  /** The allowances to send: to each page that has another one now; `all`: to every page. */
  instruct(turn: Turn, all: boolean): { page: number; allow: AllowRetries }[] {
    return this.pages.flatMap((page, index) => {
      if (page.over || (!all && this.#knows(page, this.#allowance(turn, index)))) return [];
      page.sent = { number: page.sent.number + 1, ...this.#allowance(turn, index) };
      return [{ page: page.number, allow: page.sent }];
    });
  }

  /** Whether each page has this allowance, and is through with it. */
  areIdle(turn: Turn): boolean {
    return this.pages.every(
      (page, index) =>
        page.over ||
        (page.sent.up_to === this.#allowance(turn, index).up_to && page.idleAfter === page.sent.number),
    );
  }

  /** Whether so many of the first payouts are done, failed again or refused, each. */
  haveEnded(first: number): boolean {
    const [page] = this.pages;
    if (page === undefined || first === 0) return true;
    return (
      page.next >= Math.min(first, page.size) &&
      page.tallies.retried.count === 0 &&
      page.unanswered.length === 0
    );
  }

  /** The codes of payouts that have not answered, those of the latest page first; only the first of each page. */
  get unanswered(): string[] {
    return this.pages.toReversed().flatMap(({ unanswered }) => unanswered);
  }

  total(): Tallies {
    return totalOf(this.pages.map(({ tallies }) => tallies));
  }

  #find(number: number): PageSnapshot | undefined {
    return this.pages.find((page) => page.number === number);
  }

  #knows({ sent }: PageSnapshot, { last, shared_by, up_to }: Allowance): boolean {
    return up_to === sent.up_to && last === sent.last && shared_by === sent.shared_by;
  }

  #allowance(turn: Turn, index: number): Allowance {
    const size = this.pages[index]?.size ?? 0;
    switch (turn.kind) {
      case 'never':
        return { up_to: 0, last: true };
      case 'not_now':
        return { up_to: 0, last: false };
      case 'canary':
        return { up_to: index === 0 ? turn.payouts : 0, last: false };
      case 'in_turn': {
        const inTurn = this.pages.findIndex(({ next, size: rows }) => next < rows);
        if (inTurn >= 0) return { up_to: inTurn === index ? size : 0, last: false };
        // Those that have not answered are retried again after all others, by their pages at the same time.
        const sharing = this.pages.filter(({ over, unanswered }) => !over && unanswered.length > 0).length;
        return { up_to: size, last: false, ...(sharing > 1 && { shared_by: sharing }) };
      }
    }
  }
}
