import Table from 'cli-table3';
import { formatAmount } from '../../domain/money.js';
import type { LedgerWord } from './ledger.js';
import type { Ending } from './scenes.js';

export type MoneyRow = Ending & { readonly centavos: number; readonly ledger: LedgerWord };

/** The money of the demo: what was requested, what the payments show, and what the sandbox's ledger shows. */
export function moneyTable(rows: readonly MoneyRow[]): { text: string; allWell: boolean } {
  const checked = rows.map((row) => ({ ...row, faults: [...row.faults, ...faultsOf(row)] }));
  const allWell = checked.every(({ faults }) => faults.length === 0);
  const lines = checked.map(({ name, centavos, moved, ledger, faults }) => [
    name,
    formatAmount(centavos),
    moved === 'charged' ? formatAmount(centavos) : '',
    moved === 'paid' ? formatAmount(centavos) : '',
    moved === 'failed' ? formatAmount(centavos) : '',
    ledger.words,
    faults.length === 0 ? 'as it should' : faults.join('; '),
  ]);
  const total = (moved?: Ending['moved']) =>
    formatAmount(
      checked
        .filter((row) => moved === undefined || row.moved === moved)
        .reduce((sum, { centavos }) => sum + centavos, 0),
    );
  const charged = checked.reduce((sum, { ledger }) => sum + ledger.chargedCentavos, 0);
  const paid = checked.reduce((sum, { ledger }) => sum + ledger.paidCentavos, 0);
  const totals = ['all', total(), total('charged'), total('paid'), total('failed')];
  const word = `charged ${formatAmount(charged)}, paid ${formatAmount(paid)}`;
  const head = ['payment', 'requested', 'charged', 'paid', 'failed', "the sandbox's ledger", ''];
  const table = new Table({ head, style: { head: [], border: [] } });
  table.push(...lines, [...totals, word, '']);
  return { text: table.toString(), allWell };
}

function faultsOf({ moved, centavos, codes, ledger }: MoneyRow): string[] {
  const wanted = {
    charged: moved === 'charged' ? centavos : 0,
    paid: moved === 'paid' ? centavos : 0,
  };
  return [
    ...(ledger.chargedCentavos === wanted.charged ? [] : [`charged ${formatAmount(ledger.chargedCentavos)}`]),
    ...(ledger.paidCentavos === wanted.paid ? [] : [`paid ${formatAmount(ledger.paidCentavos)}`]),
    ...(ledger.made === codes.length ? [] : [`made ${String(ledger.made)} times`]),
  ];
}
