import { ApplicationFailure, CancelledFailure } from '@temporalio/activity';
import type { Reconciliation } from '../src/contract/reconciliation.js';
import { comparison } from './reconciliation/comparison.js';
import type { ReconciliationDeps } from './shared/deps.js';
import { compareMoving } from './reconciliation/compare-moving.js';
import { compareAll } from './reconciliation/compare-all.js';

/** `full`: all payouts of the last two weeks, not only those under way. */
export type ReconcilePayoutsInput = { full: boolean };

/**
 * Compares the service's list of payouts (`GET /v1/payouts`) with ours, and hints those that are not as listed: they
 * then read for themselves, and only what they read counts.
 *
 * Safe to retry: it reads, and a hint too many costs a read.
 *
 * @throws ApplicationFailure when a page could not be read
 */
export const reconcilePayouts =
  (deps: ReconciliationDeps) =>
  async ({ full }: ReconcilePayoutsInput): Promise<Reconciliation> => {
    const found = comparison(deps);
    try {
      await (full ? compareAll(deps, found) : compareMoving(deps, found));
    } catch (error) {
      if (error instanceof ApplicationFailure || error instanceof CancelledFailure) throw error;
      // Without its cause, which the SDK would copy into the history.
      const message = 'Our own payouts could not be searched or hinted.';
      throw ApplicationFailure.create({ type: 'TemporalUnavailable', message, nonRetryable: false });
    }
    return found.report(full);
  };
