import type {
  AllowRetries,
  BulkRetryLine,
  BulkRetryPageInput,
  BulkRetryPageProgress,
} from '../../src/contract/bulk-retry.js';
import {
  bulkRetrySpans,
  nextOutcomeReadMs,
  noTallies,
  type RetryOutcome,
  type Tallies,
} from '../../src/domain/bulk-retry.js';
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
};

/** However short the waiting times are made. */
const shortestLookMs = 1_000;

type Retryable = { partner_code: string; attempt: number };

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
    };
  }

  allow(allowed: AllowRetries): void {
    this.#data.allowed = allowed;
  }

  /** The bulk retry itself is gone: nobody can allow more. */
  abandoned(): void {
    this.#data.allowed = { ...this.#data.allowed, up_to: 0, last: true };
  }

  get mayRetry(): boolean {
    const { allowed, next } = this.#data;
    return next < Math.min(allowed.up_to, this.input.payouts.length);
  }

  /** The payouts to retry next. One whose state could not be read is passed over. */
  take(count: number, now: number): Retryable[] {
    const { allowed, next } = this.#data;
    const until = Math.min(allowed.up_to, next + count);
    return this.input.payouts.slice(next, until).flatMap(({ attempt, partner_code }, index) => {
      if (attempt !== null) return [{ partner_code, attempt }];
      this.#settle(next + index, 'refused', 'Its state could not be read, so nothing was sent.', now);
      return [];
    });
  }

  /** What was taken before has been retried or refused, each. */
  taken(
    payouts: readonly Retryable[],
    outcomes: readonly { outcome: RetryOutcome; detail: string | null }[],
    now: number,
  ): void {
    for (const [index, { detail, outcome }] of outcomes.entries()) {
      const payout = payouts[index];
      if (payout !== undefined) this.#settle(this.#indexOf(payout), outcome, detail, now);
    }
    const { entries, next } = this.#data;
    const firstPending = entries.findIndex(({ outcome }, index) => index >= next && outcome === 'pending');
    this.#data.next = firstPending < 0 ? entries.length : firstPending;
    this.#data.lastRetryAt = now;
  }

  /** When payouts were last retried, or the page began: milliseconds since the epoch. */
  get retriedAt(): number {
    return this.#data.lastRetryAt;
  }

  /** Those whose outcome is not known yet. */
  get unsettled(): Retryable[] {
    return this.input.payouts.flatMap(({ attempt, partner_code }, index) =>
      this.#data.entries[index]?.outcome === 'retried' && attempt !== null ? [{ partner_code, attempt }] : [],
    );
  }

  /** When to look for outcomes again: milliseconds since the epoch; Infinity when there are none to look for. */
  get lookAt(): number {
    const { lastRetryAt, lookedAt } = this.#data;
    if (this.unsettled.length === 0) return Infinity;
    const { scale } = this.input;
    return lookedAt + Math.max(shortestLookMs, nextOutcomeReadMs((lookedAt - lastRetryAt) / scale) * scale);
  }

  looked(
    ends: readonly { partner_code: string; outcome: RetryOutcome; detail: string | null }[],
    now: number,
  ): void {
    for (const end of ends) this.#settle(this.#indexOf(end), end.outcome, end.detail, now);
    this.#data.lookedAt = now;
  }

  /** Whether nothing is left to retry and to look for. */
  isOver(now: number): boolean {
    const { allowed, lastRetryAt, next } = this.#data;
    const mayGoOn = !allowed.last && next < this.input.payouts.length;
    const isFollowed = now < lastRetryAt + bulkRetrySpans.followMs * this.input.scale;
    return !mayGoOn && !this.mayRetry && (this.unsettled.length === 0 || !isFollowed);
  }

  progress(now: number, isRetrying = false): BulkRetryPageProgress {
    return {
      page: this.input.page,
      next: this.#data.next,
      tallies: this.#tallies(),
      allowed: this.#data.allowed.number,
      idle: !isRetrying && !this.mayRetry,
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

  #settle(index: number, outcome: RetryOutcome, detail: string | null, at: number): void {
    if (this.#data.entries[index] !== undefined) this.#data.entries[index] = { outcome, detail, at };
  }
}
