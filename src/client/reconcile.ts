import { randomUUID } from 'node:crypto';
import { reconciliationReport, type ReconciliationReport } from '../contract/reconciliation.js';
import { callTemporal } from './temporal-calls.js';
import type { TemporalCalls } from './temporal-calls.js';
import { idPrefixes } from '../domain/id-prefixes.js';

/** Compares the service's list of payouts with ours once, beside the Schedule, and waits for the report. */
export async function reconcile(
  calls: TemporalCalls,
  taskQueue: string,
  full: boolean,
): Promise<ReconciliationReport> {
  const handle = await callTemporal(calls, () =>
    calls.client.workflow.start('payoutReconciliation', {
      workflowId: `${idPrefixes.reconciliation}-requested-${randomUUID()}`,
      taskQueue,
      args: [{ full }],
      workflowExecutionTimeout: '4 hours',
      staticSummary: full
        ? 'A full reconciliation, requested by an operator'
        : 'A reconciliation, requested by an operator',
    }),
  );
  return reconciliationReport.parse(await handle.result());
}
