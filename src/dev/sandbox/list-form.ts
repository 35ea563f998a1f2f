import { z } from 'zod';

/** How the list of payouts differs from what its document lets expect. */
export const listFormSchema = z.strictObject({
  /** Whatever `sort` and `direction` ask for. */
  order: z.enum(['oldest-first', 'unsorted']).optional(),
  /** `claimed_at`: null, one and the same, or so many hours off. */
  times: z.union([z.enum(['absent', 'equal']), z.number()]).optional(),
  total_pages: z.enum(['absent', 'zero']).optional(),
  /** Beyond the last page it answers that page again. */
  endless: z.boolean().optional(),
  /** The most records of a page, whatever `per_page` asks for. */
  per_page: z.int().min(1).optional(),
});

export type ListForm = z.infer<typeof listFormSchema>;

/** Lists something in an order that is none, the same each time. */
export function unsorted<Of extends { readonly id: string }>(records: readonly Of[]): Of[] {
  const key = ({ id }: Of) => (Number(id) * 7_919) % 104_729;
  return records.toSorted((a, b) => key(a) - key(b));
}
