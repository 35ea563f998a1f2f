import { toCentavos } from './money.js';

/** Bounds and defaults of a bulk retry. */
export const bulkRetryLimits = {
  /** A page is one workflow; its payouts are one payload of far less than 2 MB. */
  pagePayouts: 500,
  /** More than 100,000 payouts are not one decision. */
  pages: 200,
  /** Of the service's words for one failure, in characters. */
  words: 160,
  /** Groups of failures with words of their own; those of rarer ones are left out. */
  groups: 40,
  /** Payouts that have not answered, by their codes, in the state. */
  unanswered: 20,
  /** Of the filter. */
  partnerCodes: 1_000,
} as const;

export const bulkRetryDefaults = {
  perSecond: 5,
  canary: 10,
  stopAtFailureShare: 0.2,
  /** Without `failed_after`: only what failed in the last seven days. */
  failedWithinMs: 7 * 24 * 60 * 60_000,
} as const;

/** Spans of a bulk retry in milliseconds; `POLL_SCALE` multiplies each. */
export const bulkRetrySpans = {
  /** Between two checks of other bulk retries, one of which is not known to have nothing of this one. */
  checkMs: 60_000,
  /** The canary is waited for so long at most. */
  canaryMs: 15 * 60_000,
  /** So long after the last retry the outcomes are looked for: a payout that takes longer asks for an operator itself. */
  followMs: 3 * 24 * 60 * 60_000,
  /** After so long without a message a page is asked whether it is still there. */
  silenceMs: 60 * 60_000,
} as const;

/** Fewer outcomes than this say nothing about the rest. */
const smallestSample = 10;

/**
 * The outcome of one payout of a bulk retry: not yet retried; retried, the outcome of the new attempt is not known;
 * done; the new attempt failed; or the payout refused, and nothing was sent.
 */
export const retryOutcomes = ['pending', 'retried', 'done', 'failed_again', 'refused'] as const;

export type RetryOutcome = (typeof retryOutcomes)[number];

/** What operators read of each outcome, and of all that were selected. */
export const outcomeNames: Record<RetryOutcome | 'matched', string> = {
  matched: 'selected',
  pending: 'not retried',
  retried: 'retried, outcome awaited',
  done: 'done',
  failed_again: 'failed again',
  refused: 'refused, nothing sent',
};

/** Which failed payouts a bulk retry selects: every field that is given has to match. Values in reais, times in ISO 8601. */
type Filter = {
  readonly cause?: readonly string[] | undefined;
  readonly method?: string | undefined;
  readonly owner?: string | undefined;
  readonly failed_after?: string | undefined;
  readonly failed_before?: string | undefined;
  readonly value_from?: number | undefined;
  readonly value_to?: number | undefined;
  readonly partner_codes?: readonly string[] | undefined;
};

/** The part of a payout's state that a filter reads. */
type Failed = {
  readonly cause: string | null;
  readonly changed_at?: string | undefined;
  readonly closed: boolean;
  readonly method: string;
  readonly partner_code: string;
  readonly started_by: string | null;
  readonly status: string;
  readonly updated_at: string;
  readonly value: number;
};

/** Whether a failed payout matches a filter. Without a cause, only one that the service shows as `error`. */
export function matchesFilter(filter: Filter, payout: Failed): boolean {
  const { cause, closed, method, partner_code: code, started_by: owner, status } = payout;
  if (closed || cause === null || !['error', 'rejected'].includes(status)) return false;
  const failedAt = Date.parse(payout.changed_at ?? payout.updated_at);
  const centavos = (value: number) => toCentavos(value) ?? 0;
  const fits = <Wanted>(wanted: Wanted | undefined, matches: (wanted: Wanted) => boolean) =>
    wanted === undefined || matches(wanted);
  return (
    (filter.cause === undefined ? status === 'error' : filter.cause.includes(cause)) &&
    fits(filter.method, (wanted) => method === wanted) &&
    fits(filter.owner, (wanted) => owner === wanted) &&
    fits(filter.failed_after, (from) => failedAt >= Date.parse(from)) &&
    fits(filter.failed_before, (until) => failedAt <= Date.parse(until)) &&
    fits(filter.value_from, (from) => centavos(payout.value) >= centavos(from)) &&
    fits(filter.value_to, (to) => centavos(payout.value) <= centavos(to)) &&
    fits(filter.partner_codes, (codes) => codes.includes(code))
  );
}

/** How many payouts, and their sum in centavos. */
export type Tally = { count: number; centavos: number };

export type Tallies = Record<RetryOutcome, Tally>;

export function noTallies(): Tallies {
  const none = () => ({ count: 0, centavos: 0 });
  return { pending: none(), retried: none(), done: none(), failed_again: none(), refused: none() };
}

/** Adds the tallies of several pages. */
export function totalOf(pages: readonly Tallies[]): Tallies {
  const total = noTallies();
  for (const page of pages) {
    for (const outcome of retryOutcomes) {
      total[outcome].count += page[outcome].count;
      total[outcome].centavos += page[outcome].centavos;
    }
  }
  return total;
}

/** How many of the retried payouts came to which end, of those that came to one. */
export type Ends = { done: number; failedAgain: number };

/**
 * Whether so many fail again that the others must wait for an operator.
 *
 * @param after what had ended when the retries were last begun or resumed: it does not count
 * @param isWhole whether all that were sent have ended, as after a canary: then few of them say enough
 */
export function failsTooOften(now: Ends, after: Ends, stopAtFailureShare: number, isWhole: boolean): boolean {
  const failed = now.failedAgain - after.failedAgain;
  const ended = failed + now.done - after.done;
  if (ended === 0 || (!isWhole && ended < smallestSample)) return false;
  return failed / ended > stopAtFailureShare;
}

const outcomeReads: readonly { untilMs: number; everyMs: number }[] = [
  { untilMs: 60_000, everyMs: 5_000 },
  { untilMs: 15 * 60_000, everyMs: 30_000 },
  { untilMs: 24 * 60 * 60_000, everyMs: 5 * 60_000 },
  { untilMs: Infinity, everyMs: 30 * 60_000 },
];

/** How long after the last look for outcomes the next one comes, by the time since the last retry. */
export function nextOutcomeReadMs(sinceRetryMs: number): number {
  return outcomeReads.find(({ untilMs }) => sinceRetryMs < untilMs)?.everyMs ?? 30 * 60_000;
}

/** The part of a payout's state that shows the outcome of a retry. */
type RetriedPayout = {
  readonly status: string;
  readonly closed: boolean;
  readonly attempts: readonly {
    readonly number: number;
    readonly status: string;
    readonly cause: string | null;
    readonly error: string | null;
    readonly bulk_retry_id?: string | null | undefined;
  }[];
};

/** The failed attempt that this bulk retry has retried; undefined when it has retried none. */
export function retriedAttempt({ attempts }: RetriedPayout, bulkRetryId: string): number | undefined {
  const made = attempts.find(({ bulk_retry_id: by }) => by === bulkRetryId);
  return made && made.number - 1;
}

/** Whether the attempt after this one was made by this bulk retry. */
export function wasRetriedBy(
  { attempts }: RetriedPayout,
  failedAttempt: number,
  bulkRetryId: string,
): boolean {
  return attempts.some(({ number, bulk_retry_id: by }) => number === failedAttempt + 1 && by === bulkRetryId);
}

/** What a retried payout came to; undefined while that is not known. */
export function endOfRetry(
  payout: RetriedPayout,
  failedAttempt: number,
  bulkRetryId: string,
): { outcome: 'done' | 'failed_again'; detail: string | null } | undefined {
  if (!wasRetriedBy(payout, failedAttempt, bulkRetryId)) return undefined;
  const attempt = payout.attempts.find(({ number }) => number === failedAttempt + 1);
  if (payout.status === 'done') {
    const paidBy = payout.attempts.find(({ status }) => status === 'done')?.number;
    const other = paidBy !== undefined && paidBy !== failedAttempt + 1;
    return { outcome: 'done', detail: other ? `Attempt ${String(paidBy)} is done.` : null };
  }
  if (attempt?.cause == null) return undefined;
  return { outcome: 'failed_again', detail: attempt.error };
}
