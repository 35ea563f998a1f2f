import type { FieldProblem } from './problems.js';

/**
 * What became of a creating call. A creating activity returns it and never throws: whether something was sent is
 * a fact that the workflow decides upon, not an error to retry.
 */
export type CreationOutcome =
  | { outcome: 'answered'; service_id: string | null; status: string | null }
  | { outcome: 'not_sent'; reason: string }
  /** Nothing was sent: the decision is too old to be followed without a complete scan (payouts). */
  | { outcome: 'scan_first'; reason: string }
  | { outcome: 'refused'; reason: string; http_status: number }
  | { outcome: 'unauthorized'; reason: string; token_generation: number }
  | { outcome: 'throttled'; reason: string; retry_after_ms: number | null }
  /** `dispatched_before`: Temporal ran the activity again, or in a reset run, and it sent nothing this time. */
  | { outcome: 'unknown'; reason: string; dispatched_before?: true }
  | { outcome: 'invalid_input'; problems: FieldProblem[] }
  /** The card store does not hold the card any more; nothing was sent. */
  | { outcome: 'card_gone'; reason: string };

/** The outcome of a call whose answer is undocumented: the answer itself goes along, bounded and without card data. */
export type DetailedCreationOutcome =
  | (Extract<CreationOutcome, { outcome: 'answered' }> & { answer: Record<string, unknown> | null })
  | Exclude<CreationOutcome, { outcome: 'answered' }>;

/** What every creating activity gets beside its request. */
export type SendOnceInput = {
  /** `workflowInfo().originalExecutionRunId`: differs from the activity's run after a workflow reset. */
  original_execution_run_id: string;
  /** The token generation that the service rejected in the previous try; null on the first one. */
  rejected_generation: number | null;
};

/** An order as GET /v1/order/{id} shows it; all but id and status is undocumented. */
export type OrderReading = {
  service_id: string | null;
  /** In the normal form of `normaliseStatus`; null when the answer has none. */
  status: string | null;
  partner_code: string | null;
  value_centavos: number | null;
};

/** A payout as GET /v1/payout/{id} or GET /v1/payouts shows it. */
export type PayoutReading = OrderReading & { claimed_at: string | null };

/** What a whole walk through GET /v1/payouts found for the partner_codes asked for. */
export type PayoutScan = { found: PayoutReading[]; pages: number; records: number };
