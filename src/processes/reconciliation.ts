import type { Client } from '@temporalio/client';
import { ensureReconciliationSchedules } from '../temporal/reconciliation-schedules.js';

/** Has the reconciliation of payouts run on its Schedules, from the first worker's start on. */
export async function scheduleReconciliation(client: Client, taskQueue: string): Promise<void> {
  const outcomes = await ensureReconciliationSchedules(client, taskQueue);
  if (!outcomes.includes('not_permitted')) return;
  process.emitWarning(
    'The Temporal namespace does not permit this program to create Schedules, so payouts are not reconciled: each ' +
      'reads its own status hourly instead. Permit it, then start the worker again.',
  );
}
