/**
 * How a call to the service ended: answered with success, or in one of the classes of
 * `src/domain/outcome-classes.ts`.
 */
export type ServiceResult<Value> = { outcome: 'answered'; value: Value } | ServiceFailure;

export type ServiceFailure = {
  /** What happened, in our words. */
  reason: string;
  /** The service's own words, bounded, without what was sent in secret. Whoever logs or throws leaves them out. */
  words?: string;
} & (
  | { outcome: 'not_sent' }
  | { outcome: 'refused'; httpStatus: number }
  | { outcome: 'unauthorized'; httpStatus: number }
  | { outcome: 'throttled'; retryAfterMs: number | null }
  | { outcome: 'unknown'; httpStatus: number | null }
);

/** What a creating call answered. `answer` is the whole of it, bounded, without what was sent in secret. */
export type Creation = {
  id: string | null;
  status: string | null;
  answer: Record<string, unknown> | null;
  /** It says itself that it failed: `success` is false, or there is an `error`. */
  isDenied?: boolean;
  /** Of one that failed or has no usable id: its words, as of a {@link ServiceFailure}. */
  words?: string;
};

export type OrderRecord = {
  id: string | null;
  status: string | null;
  partnerCode: string | null;
  valueCentavos: number | null;
  /** What the record states in place of an exact amount of reais; absent when it states none, or an exact one. */
  valueUnclear?: string;
};

export type PayoutRecord = OrderRecord & { claimedAt: string | null };

/**
 * A record of the list, with what only the list shows. Amounts are decimal texts ("10.50"), null where there is none,
 * and `unreadable` where there is something else.
 */
export type ListedPayout = PayoutRecord & {
  value: string | null;
  fee: string | null;
  tax: string | null;
  total: string | null;
  paidAt: string | null;
  provider: string | null;
};

export type PayoutList = { payouts: ListedPayout[]; totalPages: number | null; currentPage: number | null };

export type IssuedToken = { token: string; expireMinutes: number };
