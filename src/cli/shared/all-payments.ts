import type { PaymentFilter, PaymentListing, PaymentsClient } from '../../client.js';

const pageSize = 200;

/** All open payments of a list, page by page. */
export async function allOpen(
  payments: PaymentsClient,
  filter: Omit<PaymentFilter, 'cursor' | 'limit'>,
): Promise<PaymentListing[]> {
  const found: PaymentListing[] = [];
  let cursor: string | null = null;
  do {
    const page = await payments.list({ ...filter, limit: pageSize, ...(cursor !== null && { cursor }) });
    found.push(...page.payments.filter(({ closed }) => !closed));
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}
