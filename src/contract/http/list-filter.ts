import type { z } from 'zod';
import { orderKinds } from '../../domain/kinds.js';
import type { orderListQuery, PaymentFilter, payoutListQuery } from './lists.js';

type OrderListQuery = z.infer<typeof orderListQuery>;
type PayoutListQuery = z.infer<typeof payoutListQuery>;

/** Which orders a query asks for. */
export function orderFilter({ kind, ...query }: OrderListQuery): PaymentFilter {
  return { kinds: kind === undefined ? [...orderKinds] : [kind], ...inNumbers(query) };
}

/** Which payouts a query asks for. */
export function payoutFilter(query: PayoutListQuery): PaymentFilter {
  return { kinds: ['payout'], ...inNumbers(query) };
}

/** A query string has texts alone. */
function inNumbers({
  limit,
  value_from: from,
  value_to: to,
  ...filters
}: PayoutListQuery): Omit<PaymentFilter, 'kinds'> {
  return {
    ...filters,
    ...(from === undefined ? {} : { value_from: Number(from) }),
    ...(to === undefined ? {} : { value_to: Number(to) }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
  };
}
