import type { CardReference } from './card.js';

/** What every creating activity gets beside its request. */
export type SendOnceInput = {
  /** `workflowInfo().originalExecutionRunId`: differs from the activity's run after a workflow reset. */
  original_execution_run_id: string;
  /**
   * `workflowInfo().firstExecutionRunId`: nothing is sent when its workflow id was used before that run. Null when the
   * start itself has ruled that out.
   */
  rule_out_runs_before: string | null;
  /** The token generation that the service rejected in the previous try; null on the first one. */
  rejected_generation: number | null;
  /**
   * A previous try ended without an answer, and by Temporal's record had sent nothing. Where that record may have lost
   * seconds (`SCAN_BEFORE_SEND=always`) it proves nothing.
   */
  ended_unmarked: boolean;
};

/** What a creating activity gets that sends a card from the card store. */
export type StoredCardInput = {
  card: CardReference;
  /**
   * Whose the payment is, and who gave it this card, by the names of API keys: a card that another key put in is not for
   * it. Null when no gateway started it, or when it came with the start.
   */
  owner: string | null;
  given_by: string | null;
};

/** An order as GET /v1/order/{id} shows it; all but id and status is undocumented. */
export type OrderReading = {
  service_id: string | null;
  /** In the normal form of `normaliseStatus`; null when the answer has none. */
  status: string | null;
  partner_code: string | null;
  value_centavos: number | null;
  /** What the service states in place of an exact amount of reais. */
  value_unclear?: string;
  /** The run that read, when it came about by a reset: more may have happened than it knows. */
  reset_run_id?: string;
};

/** A payout as GET /v1/payout/{id} or GET /v1/payouts shows it. */
export type PayoutReading = OrderReading & { claimed_at: string | null };

/** What a complete scan of GET /v1/payouts found for these partner_codes. */
export type PayoutScan = { found: PayoutReading[]; pages: number; records: number };
