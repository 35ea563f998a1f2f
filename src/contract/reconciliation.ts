import { z } from 'zod';

/** The input of the workflow `payoutReconciliation`. `full`: all payouts of two weeks, not only those under way. */
export const payoutReconciliationInput = z.strictObject({ full: z.boolean().optional() });
export type PayoutReconciliationInput = z.infer<typeof payoutReconciliationInput>;

/** How many payouts, and the first of them. Identifiers only. */
export const finding = z.object({
  count: z.int(),
  payouts: z.array(z.object({ partner_code: z.string().nullable(), service_id: z.string().nullable() })),
});
export type Finding = z.infer<typeof finding>;

/** What one comparison of the service's list of payouts with ours came to. */
export const reconciliation = z.object({
  full: z.boolean(),
  /** Pages of GET /v1/payouts that it took, and the records on them. */
  reads: z.int(),
  records: z.int(),
  /** Open payouts of ours that were compared. */
  compared: z.int(),
  /** Payouts that were made to read their status now. */
  hinted: z.int(),
  /** The status there is another one than here, or it is no longer listed as under way. */
  changed: finding,
  /** One identifier of the service under two partner_codes, or one partner_code under two identifiers. */
  ambiguous: finding,
  /** Full reconciliations only: known here by its identifier, and not in the service's list. */
  missing: finding,
  /** Full reconciliations only: in the service's list, and owned by nobody here. */
  orphans: finding,
  /** Full reconciliations only: listed with another value than was requested. */
  mismatches: finding,
});
export type Reconciliation = z.infer<typeof reconciliation>;

/** The result of the workflow `payoutReconciliation`. */
export const reconciliationReport = reconciliation.extend({
  started_at: z.string(),
  finished_at: z.string(),
  /**
   * When the run before this one of the same Schedule ended, if runs were missed since: the Schedule was paused, or
   * no worker ran. Null when all is well, or nothing is known of an earlier run.
   */
  not_run_since: z.string().nullable(),
});
export type ReconciliationReport = z.infer<typeof reconciliationReport>;
