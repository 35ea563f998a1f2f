import type { Retried } from '../../activities/retry-payouts.js';
import type {
  AllowRetries,
  BulkRetryLine,
  BulkRetryPageInput,
  BulkRetryPageProgress,
} from '../../src/contract/bulk-retry.js';
import {
  bulkRetryLimits,
  bulkRetrySpans,
  nextOutcomeReadMs,
  noTallies,
  type RetryOutcome,
  type Tallies,
} from '../../src/domain/bulk-retry.js';
import { strideOf, type Stride } from '../../src/domain/batch-limits.js';
import { toDecimal } from '../../src/domain/money.js';

/** The outcome of one payout, in the order of the input. */
type Entry = { outcome: RetryOutcome; detail: string | null; at: number | null };

/** What a page carries through a continue-as-new. */
export type RetryPageSnapshot = {
  entries: Entry[];
  next: number;
  allowed: AllowRetries;
  lastRetryAt: number;
  lookedAt: number;
  /** The last progress that was reported, as JSON. */
  reported: string;
  /** The places of those that have not answered: they are retried again after all others, every minute. */
  unanswered: number[];
  /** When they are retried next. */
  nextPassAt: number;
  /** When retries were last allowed after none were. */
  allowedAt: number;
};

/** However short the waiting times are made. */
const shortestLookMs = 1_000;
/** Between two retries of those that have not answered. */
const passEveryMs = 60_000;

type Retryable = { partner_code: string; attempt: number | null };
/** Null when there was no answer yet at the end of the retries. */
type Answer = Retried | null;

/** One page of a bulk retry: its payouts, what it may do, and the outcome of each. */
export class RetryPage {
  readonly #data: RetryPageSnapshot;

  constructor(
    private readonly input: BulkRetryPageInput,
    now: number,
    snapshot?: RetryPageSnapshot,
  ) {
    this.#data = snapshot ?? {
      entries: input.payouts.map(() => ({ outcome: 'pending', detail: null, at: null })),
      next: 0,
      allowed: { number: 0, up_to: 0, last: false },
      lastRetryAt: now,
      lookedAt: now,
      reported: '',
      unanswered: [],
      nextPassAt: now,
      allowedAt: now,
    };
  }

  allow(allowed: AllowRetries, now: number): void {
    if (this.#data.allowed.up_to === 0 && allowed.up_to > 0) this.#data.allowedAt = now;
    this.#data.allowed = allowed;
  }

  /** The bulk retry itself is gone: nobody can allow more. */
  abandoned(): void {
    this.#data.allowed = { ...this.#data.allowed, up_to: 0, last: true };
  }

  /** How many are retried next, and at which pace: its share when other pages retry at the same time. */
  get stride(): Stride {
    return strideOf(this.input.per_second / (this.#data.allowed.shared_by ?? 1));
  }

  /** When to retry next: milliseconds since the epoch; Infinity while nothing may be retried. */
  get retryAt(): number {
    const { allowed, next, nextPassAt, unanswered } = this.#data;
    if (next < Math.min(allowed.up_to, this.input.payouts.length)) return 0;
    return allowed.up_to > 0 && unanswered.length > 0 ? nextPassAt : Infinity;
  }

  /** The payouts to retry next. */
  take(count: number): Retryable[] {
    const { allowed, next, unanswered } = this.#data;
    const until = Math.min(allowed.up_to, this.input.payouts.length, next + count);
    const places =
      next < until ? Array.from({ length: until - next }, (_, at) => next + at) : unanswered.slice(0, count);
    return places.flatMap((place) => {
      const payout = this.input.payouts[place];
      return payout === undefined ? [] : [{ partner_code: payout.partner_code, attempt: payout.attempt }];
    });
  }

  /** Applies the answers of the payouts that were taken, in their order. */
  taken(payouts: readonly Retryable[], answers: readonly Answer[], now: number): void {
    for (const [index, answer] of answers.entries()) {
      const payout = payouts[index];
      if (payout !== undefined) this.#answered(this.#indexOf(payout), answer, now);
    }
    const { entries, next, unanswered } = this.#data;
    const isOpen = (place: number) => entries[place]?.outcome === 'pending' && !unanswered.includes(place);
    const firstOpen = entries.findIndex((_, place) => place >= next && isOpen(place));
    this.#data.next = firstOpen < 0 ? entries.length : firstOpen;
    const waitMs = Math.max(shortestLookMs, passEveryMs * this.input.scale, this.stride.waitMs);
    this.#data.nextPassAt = now + waitMs;
  }

  /** One that has not answered is retried again after all others. */
  #answered(place: number, answer: Answer, now: number): void {
    const { unanswered } = this.#data;
    if (!unanswered.includes(place)) this.#data.lastRetryAt = now;
    const others = unanswered.filter((each) => each !== place);
    this.#data.unanswered = others;
    if (answer !== null && answer.outcome !== 'unanswered') {
      this.#settle(place, answer.outcome, answer.detail, now);
      this.#data.lastRetryAt = now;
      return;
    }
    // What was under way at a pause is named first.
    this.#data.unanswered = answer === null ? [place, ...others] : [...others, place];
    this.#settle(
      place,
      'pending',
      answer?.detail ?? 'It was under way when the retries were interrupted.',
      null,
    );
  }

  /** When payouts were last retried, or the page began: milliseconds since the epoch. */
  get retriedAt(): number {
    return this.#data.lastRetryAt;
  }

  /** Those whose outcome is not known yet; of those that have not answered, only when they are not retried again. */
  get unsettled(): Retryable[] {
    const { allowed, unanswered } = this.#data;
    return this.input.payouts.flatMap(({ attempt, partner_code }, index) =>
      this.#data.entries[index]?.outcome === 'retried' || (allowed.last && unanswered.includes(index))
        ? [{ partner_code, attempt }]
        : [],
    );
  }

  /** When to read outcomes again: milliseconds since the epoch; Infinity when there are none to read. */
  get outcomesDueAt(): number {
    const { lastRetryAt, lookedAt } = this.#data;
    if (this.unsettled.length === 0) return Infinity;
    const { scale } = this.input;
    return lookedAt + Math.max(shortestLookMs, nextOutcomeReadMs((lookedAt - lastRetryAt) / scale) * scale);
  }

  outcomesRead(
    ends: readonly { partner_code: string; outcome: RetryOutcome; detail: string | null }[],
    now: number,
  ): void {
    for (const end of ends) {
      const place = this.#indexOf(end);
      this.#data.unanswered = this.#data.unanswered.filter((each) => each !== place);
      this.#settle(place, end.outcome, end.detail, now);
    }
    this.#data.lookedAt = now;
  }

  /** Whether nothing is left to retry and to look for. */
  isOver(now: number): boolean {
    const { allowed, allowedAt, lastRetryAt, next, unanswered } = this.#data;
    const isPaused = allowed.up_to === 0 && unanswered.length > 0;
    const mayGoOn = !allowed.last && (next < this.input.payouts.length || isPaused);
    const isFollowed = now < Math.max(lastRetryAt, allowedAt) + bulkRetrySpans.followMs * this.input.scale;
    const isSettled = this.unsettled.length === 0 && unanswered.length === 0;
    return !mayGoOn && (isSettled || !isFollowed);
  }

  progress(now: number, isRetrying = false): BulkRetryPageProgress {
    return {
      page: this.input.page,
      next: this.#data.next,
      tallies: this.#tallies(),
      allowed: this.#data.allowed.number,
      idle: !isRetrying && this.retryAt === Infinity,
      unanswered: this.#data.unanswered
        .slice(0, bulkRetryLimits.unanswered)
        .flatMap((place) => this.input.payouts[place]?.partner_code ?? []),
      over: this.isOver(now),
    };
  }

  /** The progress to report; undefined when it is as it was. */
  news(now: number): BulkRetryPageProgress | undefined {
    const progress = this.progress(now);
    const text = JSON.stringify(progress);
    if (text === this.#data.reported) return undefined;
    this.#data.reported = text;
    return progress;
  }

  report(): BulkRetryLine[] {
    return this.input.payouts.map(({ attempt, cause, centavos, partner_code, words }, index) => {
      const { at = null, detail = null, outcome = 'pending' } = this.#data.entries[index] ?? {};
      return {
        partner_code,
        value: toDecimal(centavos),
        cause,
        words,
        attempt,
        outcome,
        detail,
        at: at === null ? null : new Date(at).toISOString(),
      };
    });
  }

  snapshot(): RetryPageSnapshot {
    return this.#data;
  }

  #tallies(): Tallies {
    const tallies = noTallies();
    for (const [index, { centavos }] of this.input.payouts.entries()) {
      const tally = tallies[this.#data.entries[index]?.outcome ?? 'pending'];
      tally.count += 1;
      tally.centavos += centavos;
    }
    return tallies;
  }

  #indexOf({ partner_code: code }: { partner_code: string }): number {
    return this.input.payouts.findIndex(({ partner_code }) => partner_code === code);
  }

  #settle(index: number, outcome: RetryOutcome, detail: string | null, at: number | null): void {
    if (this.#data.entries[index] !== undefined) this.#data.entries[index] = { outcome, detail, at };
  }
}
