import type { Client } from '@temporalio/client';
import { reconcileEveryMs } from '../domain/reconciling.js';
import { ensureReconciliationSchedules } from '../temporal/reconciliation-schedules.js';
import { closing } from './running.js';
import type { Running } from './running.js';

/**
 * Has the reconciliation of payouts run on its Schedules, and looks after these as long as the worker runs: one that
 * was deleted, changed or put out of action is made again, with a warning. One that was paused stays paused.
 */
export async function scheduleReconciliation(client: Client, taskQueue: string): Promise<Running> {
  const outcomes = await ensureReconciliationSchedules(client, taskQueue);
  if (outcomes.includes('not_permitted')) {
    process.emitWarning(
      'The Temporal namespace does not permit this program to create Schedules, so payouts are not reconciled: each ' +
        'reads its own status hourly instead, and identifiers that two payments have are not found. Permit it, then start the worker again.',
    );
    return closing(() => Promise.resolve());
  }
  let looking: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    looking = repair(client, taskQueue);
  }, reconcileEveryMs);
  return closing(() => {
    clearInterval(timer);
    return looking;
  });
}

async function repair(client: Client, taskQueue: string): Promise<void> {
  const outcomes = await ensureReconciliationSchedules(client, taskQueue).catch(() => null);
  if (outcomes === null) {
    process.emitWarning('The Schedules of the reconciliation could not be looked at; this is tried again.');
  } else if (outcomes.some((outcome) => outcome !== 'unchanged' && outcome !== 'encrypted')) {
    process.emitWarning(
      `The Schedules of the reconciliation were not as they should be (${outcomes.join(', ')}) and were repaired. ` +
        'Payouts may not have been reconciled for a while; find out who changed them.',
    );
  }
}
