import type { MoneyOf } from './masked-payee.js';

/** As what workflows log the starts and commands that came to them; the process of the worker writes them to its audit stream. */
export const temporalAudit = 'audit of a workflow';

/** Who commanded what by Temporal, with what outcome. */
export type TemporalAudit = MoneyOf & {
  /** As the sender has written it; absent when it wrote none, for the SDK's log passes on no null. */
  readonly by?: string | undefined;
  readonly command: string;
  readonly outcome: string;
};
