import { z } from 'zod';
import { attentions } from '../../domain/attention.js';
import { workflowTypes } from '../../domain/kinds.js';
import type { PaymentKind } from '../../domain/kinds.js';
import { closings } from '../../domain/closings.js';

/** A status in its normal form, of ours or of the service. */
export const statusWord = z
  .string()
  .regex(/^[a-z0-9_]{1,64}$/, 'must be a status, such as waiting_payment or done');

export const paymentKinds = Object.keys(workflowTypes) as PaymentKind[];

const filters = {
  status: statusWord.optional(),
  /** `any`: whatever needs attention. */
  attention: z.enum([...attentions, 'any'], `must be any, or one of ${attentions.join(', ')}`).optional(),
  cursor: z
    .string()
    .regex(/^[\w-]{1,4096}$/, 'must be a next_cursor of this very list')
    .optional(),
};

/** Which payments to list. */
export const paymentFilter = z.strictObject({
  kinds: z.array(z.enum(paymentKinds)).min(1),
  /** Only what the API key of this name has started. */
  owner: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be the name of an API key')
    .optional(),
  partner_code: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be a partner_code')
    .optional(),
  ...filters,
  limit: z.int().min(1).max(200).optional(),
});
export type PaymentFilter = z.infer<typeof paymentFilter>;

/** The same in a query string: GET /v1/payouts?status=&attention=&cursor=&limit= */
export const listQuery = z.strictObject({
  ...filters,
  limit: z
    .string()
    .regex(/^([1-9]\d?|1\d\d|200)$/, 'must be a number from 1 to 200')
    .optional(),
});
export type ListQuery = z.infer<typeof listQuery>;

/** One payment of a list, by its search attributes. */
export const paymentListing = z.object({
  kind: z.string().nullable(),
  partner_code: z.string().nullable(),
  workflow_id: z.string(),
  service_id: z.string().nullable(),
  status: z.string().nullable(),
  attention: z.string().nullable(),
  value: z.number().nullable(),
  started_at: z.string(),
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
