import type { Reconciliation } from '../src/contract/reconciliation.js';
import { comparison } from './shared/comparison.js';
import type { OwnPaymentsDeps } from './shared/deps.js';
import { compareMoving } from './shared/compare-moving.js';
import { walkAll } from './shared/walk-all.js';

/** `full`: all payouts of the last two weeks, not only those under way. */
export type ReconcilePayoutsInput = { full: boolean };

/**
 * Compares the service's list of payouts (§4 GET /v1/payouts) with ours, and hints those that are not as listed: they
 * then read for themselves, and only what they read counts.
 *
 * Safe to retry: it reads, and a hint too many costs a read.
 *
 * @throws ApplicationFailure when a page could not be read
 */
export const reconcilePayouts =
  (deps: OwnPaymentsDeps) =>
  async ({ full }: ReconcilePayoutsInput): Promise<Reconciliation> => {
    const found = comparison(deps);
    await (full ? walkAll(deps, found) : compareMoving(deps, found));
    return found.report(full);
  };
