import {
  dayMs,
  followCadence,
  parkedCadence,
  reconciledCadence,
  scanDelaysMs,
  spans,
  watchCadence,
  type CadenceStep,
} from '../src/domain/cadence.js';
import { isSettled } from '../src/domain/payout-attempts.js';
import type { PayoutAttempts } from './payout-attempts.js';
import type { Opening } from './shared/opening.js';
import type { PaymentRecord } from './shared/payment-record.js';
import type { StatusFollower } from './shared/status-follower.js';

/** What the pace of a payout hands over at a continue-as-new. */
export type PayoutPaceCarry = {
  /** Scans after a submission of unknown fate: from when on, and how many took place. */
  scan: { from: number; done: number };
  /** From when on the payout is overdue; null when that was said, or nothing is under way. */
  overdueFrom: number | null;
};

/** After a scan that was not whole, the next one comes no sooner than this. */
const scanRetryMs = 5_000;

/** When to look at a payout again, from when on it is overdue, and until when it is watched. */
export class PayoutPace {
  readonly #facts: PayoutPaceCarry;

  constructor(
    private readonly record: PaymentRecord,
    private readonly follower: StatusFollower,
    private readonly attempts: PayoutAttempts,
    private readonly opening: Opening & { reconciled: boolean },
    carried?: PayoutPaceCarry,
  ) {
    this.#facts = carried ?? { scan: { from: 0, done: 0 }, overdueFrom: null };
  }

  /** The end of the watch; never while a person is called for. A caller who waits for the result gets a refusal at once. */
  get watchEndsAt(): number {
    const { scale, watchDays: days } = this.opening;
    if (days === 0 && this.record.status === 'rejected' && isSettled(this.attempts.all)) {
      return this.record.changedAt;
    }
    if (!this.#isAtRest || this.record.attention !== null) return Infinity;
    return this.record.changedAt + days * dayMs * scale;
  }

  /** Whether the next scheduled scan is due; one that a hint brings before does not count as it. */
  get scanIsDue(): boolean {
    return Date.now() >= this.#nextScanAt;
  }

  /** Whether all scans should have taken place by now, whether or not they could. */
  get scanPlanIsOver(): boolean {
    return Date.now() >= this.#facts.scan.from + (scanDelaysMs.at(-1) ?? 0) * this.opening.scale;
  }

  /** Whether all scans took place. */
  get scansAreOver(): boolean {
    return this.#nextScanAt === Infinity;
  }

  /** An attempt is being sent: from here on its deadline counts. */
  sending(): void {
    this.#facts.overdueFrom ??= Date.now() + spans.payoutDoneMs * this.opening.scale;
  }

  /** A further attempt has a deadline of its own. */
  renew(): void {
    this.#facts.overdueFrom = null;
  }

  /** Scans begin, counted from when the call itself is over. */
  scanFrom(from: number): void {
    this.#facts.scan = { from, done: 0 };
    this.follower.dueAt(this.#nextScanAt);
  }

  scanned(): void {
    this.#facts.scan.done += 1;
  }

  /** Sets the next look. */
  plan(): void {
    if (this.attempts.latest.phase === 'verifying') {
      this.follower.dueAt(Math.max(this.#nextScanAt, Date.now() + scanRetryMs * this.opening.scale));
    } else {
      this.follower.plan(this.#cadence(), this.record.changedAt);
    }
  }

  callWhenOverdue(): void {
    if (this.#isAtRest || this.attempts.parked || this.attempts.latest.phase === 'unknown') return;
    if (Date.now() < (this.#facts.overdueFrom ?? Infinity)) return;
    this.#facts.overdueFrom = null;
    this.record.raise('overdue', `The payout is still ${this.record.status} after its deadline.`);
  }

  carry(): PayoutPaceCarry {
    return this.#facts;
  }

  get #isAtRest(): boolean {
    const { status } = this.record;
    return (status === 'done' || status === 'abandoned') && isSettled(this.attempts.all);
  }

  get #nextScanAt(): number {
    const { from, done } = this.#facts.scan;
    const delayMs = scanDelaysMs[done];
    return delayMs === undefined ? Infinity : from + delayMs * this.opening.scale;
  }

  #cadence(): readonly CadenceStep[] {
    if (this.attempts.parked || this.attempts.latest.phase === 'unknown') return parkedCadence;
    if (this.#isAtRest) return watchCadence;
    return this.opening.reconciled ? reconciledCadence : followCadence;
  }
}
