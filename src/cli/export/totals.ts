import { decimalText, statedCentavos, unreadableAmount } from '../../domain/money.js';
import { payoutDifferences } from './payout-differences.js';
import type { PayoutDifference } from './payout-differences.js';
import type { ExportedPayout } from './exported-payout.js';

const amounts = ['value', 'fee', 'tax', 'total'] as const;
type Sums = Record<(typeof amounts)[number], bigint> & { count: number };

/** How many lines, and their exact sums as decimal texts in reais. */
export type Total = { count: number; value: string; fee: string; tax: string; total: string };

export type ExportTotals = {
  /** All that the service lists. */
  readonly listed: Total;
  /** The same by status; `not_listed` are those that only we know. */
  readonly by_status: Readonly<Record<string, Total>>;
  readonly differences: Readonly<Record<string, { count: number; value: string }>>;
  /** Amounts that the service states in a way that can't be read: the sums are without them. */
  readonly unreadable_amounts: number;
};

/** Counts lines and sums their amounts, in centavos without bound. */
export class Totals {
  readonly #listed = noSums();
  readonly #byStatus = new Map<string, Sums>();
  readonly #differences = new Map<PayoutDifference, Sums>(payoutDifferences.map((name) => [name, noSums()]));
  #unreadable = 0;

  add(line: ExportedPayout): void {
    const isListed = line.difference !== 'only_ours';
    const status = isListed ? (line.status ?? 'no_status') : 'not_listed';
    const ofStatus = this.#byStatus.get(status) ?? noSums();
    this.#byStatus.set(status, ofStatus);
    const ofDifference = line.difference === null ? undefined : this.#differences.get(line.difference);
    const all = [isListed ? this.#listed : undefined, ofStatus, ofDifference];
    for (const sums of all) if (sums !== undefined) sums.count += 1;
    for (const name of amounts) {
      const text = line[name];
      if (text === unreadableAmount) this.#unreadable += 1;
      const centavos = text === null ? undefined : statedCentavos(text);
      if (centavos === undefined) continue;
      for (const sums of all) if (sums !== undefined) sums[name] += centavos;
    }
  }

  view(): ExportTotals {
    const byStatus = [...this.#byStatus].sort(([one], [other]) => one.localeCompare(other));
    const differences = [...this.#differences].map(([name, { count, value }]) => {
      return [name, { count, value: decimalText(value) }] as const;
    });
    return {
      listed: viewOf(this.#listed),
      by_status: Object.fromEntries(byStatus.map(([status, sums]) => [status, viewOf(sums)])),
      differences: Object.fromEntries(differences),
      unreadable_amounts: this.#unreadable,
    };
  }
}

function noSums(): Sums {
  return { count: 0, value: 0n, fee: 0n, tax: 0n, total: 0n };
}

function viewOf({ count, value, fee, tax, total }: Sums): Total {
  const text = decimalText;
  return { count, value: text(value), fee: text(fee), tax: text(tax), total: text(total) };
}
