import type { Simulated } from './simulated-run.js';
import { Violation } from './violation.js';

const second = 1_000;
/** Deadlines and a change of stage may each bring one read forward. */
const mostShortPauses = 3;

/**
 * A read that failed is made again after a pause, and after longer ones the longer none has worked: else its history and
 * its calls would grow without a bound in an outage.
 */
export class FailedReads {
  #failedAt: number | undefined;
  #shortPauses = 0;

  constructor(private readonly simulation: Simulated) {}

  afterStep(): void {
    const { lastRead, unreadableSince, changedAt } = this.simulation.run.living.payment.record.data;
    if (lastRead === null || unreadableSince === null) return this.forget();
    const failedBefore = this.#failedAt;
    this.#failedAt = lastRead.at;
    if (failedBefore === undefined || failedBefore === lastRead.at) return;
    const pauseMs = lastRead.at - failedBefore;
    const since = Math.max(unreadableSince, changedAt, this.simulation.disturbedAt);
    this.#shortPauses = pauseMs < leastPauseMs(failedBefore - since) ? this.#shortPauses + 1 : 0;
    if (this.#shortPauses > mostShortPauses) {
      const detail = `${String(pauseMs)} ms after another, when none had worked for ${String(lastRead.at - since)} ms`;
      throw new Violation('a read that failed is made again after a pause', detail);
    }
  }

  /** A read has worked, or the payment is as it was before. */
  forget(): void {
    this.#failedAt = undefined;
    this.#shortPauses = 0;
  }
}

/** What is known to have been disturbed meanwhile may be read at any moment. */
function leastPauseMs(failingMs: number): number {
  return failingMs < 0 ? 0 : Math.min(Math.max(failingMs / 120, second), 3_000 * second);
}
