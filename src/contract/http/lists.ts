import { z } from 'zod';
import { attentions } from '../../domain/attention.js';
import { bulkRetryKind, orderKinds, paymentKinds } from '../../domain/kinds.js';
import { closings } from '../../domain/closings.js';
import { amount, anyPartnerCode, apiKeyName, moment, statusWord } from '../fields.js';
import { batchId } from '../payout-batch.js';
import { failureCause } from '../payout.js';

/** What can be listed: payments, and bulk retries, which may need an operator as well. */
const listedKinds = [...paymentKinds, bulkRetryKind] as const;

const filters = {
  status: statusWord.optional(),
  /** `any`: whatever needs attention. */
  attention: z.enum([...attentions, 'any'], `must be any, or one of ${attentions.join(', ')}`).optional(),
  started_after: moment.optional(),
  started_before: moment.optional(),
  cursor: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,4096}$/, 'must be a next_cursor of this very list')
    .optional(),
};

/** Why payouts failed, and the batch that they belong to. */
const payoutFilters = {
  cause: failureCause.optional(),
  batch_id: batchId.optional(),
};

/** Which payments to list. */
export const paymentFilter = z.strictObject({
  kinds: z.array(z.enum(listedKinds)).min(1),
  /** Only what the API key of this name has started. */
  owner: apiKeyName.optional(),
  partner_code: anyPartnerCode.optional(),
  ...filters,
  ...payoutFilters,
  /** In reais, both included. */
  value_from: amount.optional(),
  value_to: amount.optional(),
  limit: z.int().min(1).max(200).optional(),
});
export type PaymentFilter = z.infer<typeof paymentFilter>;

const reais = z
  .string()
  .regex(/^\d{1,8}(\.\d{1,2})?$/, 'must be an amount in reais, such as 150 or 19.90')
  .meta({ description: 'Amount in reais, included' });

/** The same in a query string. */
const queried = z.strictObject({
  ...filters,
  value_from: reais.optional(),
  value_to: reais.optional(),
  limit: z
    .string()
    .regex(/^([1-9][0-9]?|1[0-9][0-9]|200)$/, 'must be a number from 1 to 200')
    .optional(),
});

/** GET /v1/payouts */
export const payoutListQuery = queried.extend(payoutFilters);

/** GET /v1/orders */
export const orderListQuery = queried.extend({
  kind: z.enum(orderKinds, `must be one of ${orderKinds.join(', ')}`).optional(),
});

/** One payment of a list, by its search attributes. */
export const paymentListing = z.object({
  kind: z.string().nullable(),
  partner_code: z.string().nullable(),
  workflow_id: z.string(),
  service_id: z.string().nullable(),
  status: z.string().nullable(),
  attention: z.string().nullable(),
  /** Why a payout failed. */
  cause: z.string().nullable(),
  value: z.number().nullable(),
  started_at: z.string().meta({ format: 'date-time' }),
  /** When one of these last changed; null when none has since it was started. */
  updated_at: z.string().nullable().meta({ format: 'date-time' }),
  closed: z.boolean(),
  /** How its workflow ended; anything but `completed` means that nobody follows the money any more. Null while open. */
  closed_as: z.enum(closings).nullable(),
  started_by: z.string().nullable(),
});
export type PaymentListing = z.infer<typeof paymentListing>;

/** One page of a list; `next_cursor` is null on the last one. */
export const paymentPage = z.object({
  payments: z.array(paymentListing),
  next_cursor: z.string().nullable(),
});
export type PaymentPage = z.infer<typeof paymentPage>;
