import { z } from 'zod';
import { apiKeyName, moment } from '../fields.js';
import { paymentListing } from './lists.js';

/** GET /v1/changes?since= */
export const changesQuery = z.strictObject({
  since: moment,
});

export const changesFilter = changesQuery.extend({
  /** Only what the API key of this name has started. */
  owner: apiKeyName.optional(),
});
export type ChangesFilter = z.infer<typeof changesFilter>;

/** Payments that have changed, the earliest change first. */
export const changesPage = z.object({
  /** Each as it is now. What changed in the last 30 seconds comes again in the next answer, with the same `updated_at`. */
  payments: z.array(paymentListing),
  /** Where the next request begins: 30 seconds ago when this was all until now. */
  next_since: z.string().meta({ format: 'date-time' }),
  /** Whether this was all until now; false: ask again at once. */
  complete: z.boolean(),
});
export type ChangesPage = z.infer<typeof changesPage>;
