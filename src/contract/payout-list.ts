import { z } from 'zod';
import { moment } from './fields.js';

/** Pages that one run reads: their records stay far below the size that Temporal takes of a payload. */
export const pagesARun = 5;
/** No list is longer: one without an end must not keep its reader for ever. Ten million payouts. */
export const maxListPage = 50_000;

/** The input of the workflow `payoutList`: from which page on, and how old a record may be at most. */
export const payoutListInput = z.strictObject({
  page: z.int().min(1).max(maxListPage),
  not_before: moment,
});
export type PayoutListInput = z.infer<typeof payoutListInput>;

const text = z.string().nullable();

/**
 * One record of the service's list. Amounts are decimal texts in reais ("10.50"), null where the service states none,
 * `unreadable` where what it states is no amount. Times are as the service writes them.
 */
export const listedPayout = z.object({
  id: text,
  partner_code: text,
  status: text,
  ...{ value: text, fee: text, tax: text, total: text },
  ...{ claimed_at: text, paid_at: text, provider: text },
});
export type ListedPayout = z.infer<typeof listedPayout>;

/** The result of the workflow `payoutList`: the newest first. */
export const payoutListPart = z.object({
  payouts: z.array(listedPayout),
  /** Where the next part begins; null when the list ends here, or what follows is older. */
  next_page: z.int().nullable(),
});
export type PayoutListPart = z.infer<typeof payoutListPart>;
