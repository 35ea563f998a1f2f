import { z } from 'zod';
import { toCentavos } from '../../domain/money.js';

const entry = z.object({ partner_code: z.string(), status: z.string(), value: z.string() });
const ledger = z.object({
  orders: z.array(entry.extend({ times_charged: z.int() })),
  payouts: z.array(entry.extend({ paid_at: z.string().nullable() })),
});

/** What the sandbox really did under some partner_codes. */
export type LedgerWord = {
  readonly chargedCentavos: number;
  readonly paidCentavos: number;
  /** How many orders and payouts it made, which must be one for each code. */
  readonly made: number;
  readonly words: string;
};

/** Reads the sandbox's own ledger, not the payments that were built on it. */
export async function readLedger(sandboxUrl: string, codes: readonly string[]): Promise<LedgerWord> {
  const answer = await fetch(`${sandboxUrl}/sandbox/ledger`);
  const { orders, payouts } = ledger.parse(await answer.json());
  const ours = <T extends { partner_code: string }>(records: readonly T[]) =>
    records.filter(({ partner_code: code }) => codes.includes(code));
  const records = [...ours(orders), ...ours(payouts)];
  return {
    chargedCentavos: sum(ours(orders).map(({ value, times_charged: times }) => centavos(value) * times)),
    paidCentavos: sum(ours(payouts).map(({ value, paid_at: paid }) => (paid === null ? 0 : centavos(value)))),
    made: records.length,
    words: `${String(records.length)} made: ${records.map(({ status }) => status).join(', ')}`,
  };
}

function centavos(decimal: string): number {
  return toCentavos(Number(decimal)) ?? 0;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
