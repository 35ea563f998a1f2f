import { table } from '../shared/tables.js';
import type { ExportTotals, Total } from './totals.js';

/** The totals for people. */
export function totalsTable({ listed, by_status, differences, unreadable_amounts }: ExportTotals): string {
  const statuses = Object.entries(by_status).map(([status, total]) => cells(status, total));
  const found = Object.entries(differences).map(([name, { count, value }]) => [name, String(count), value]);
  return [
    table(
      ['at the service', 'payouts', 'value', 'fee', 'tax', 'total'],
      [...statuses, cells('all listed', listed)],
    ),
    table(['difference', 'lines', 'value'], found),
    ...(unreadable_amounts === 0
      ? []
      : [
          `${String(unreadable_amounts)} amounts of the service can't be read exactly and are marked unreadable: ` +
            'the sums are without them. Ask the service what they are.',
        ]),
  ].join('\n');
}

function cells(name: string, { count, value, fee, tax, total }: Total): string[] {
  return [name, String(count), value, fee, tax, total];
}
