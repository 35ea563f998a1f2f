import { CsvError, parse } from 'csv-parse/sync';
import { transferPayoutBody, pixPayoutBody } from '../contract/payout.js';
import { InvalidRequestError } from './errors.js';

/** How the payouts of a batch may be written. */
export const batchFormats = ['json', 'jsonl', 'csv'] as const;
export type BatchFormat = (typeof batchFormats)[number];

/** Fields of one value; whom to tell of a payout's changes does not fit into a cell. */
const columns = new Set(
  ['method', ...Object.keys(pixPayoutBody.shape), ...Object.keys(transferPayoutBody.shape)].filter(
    (name) => name !== 'notify',
  ),
);

/**
 * Reads the rows of a batch, which are still to be checked. JSON Lines: one payout a line. CSV: a line of column
 * names first, which are those of the fields; an empty cell is a field left out; commas or semicolons between them.
 *
 * @throws InvalidRequestError saying which line is no JSON, or what is wrong with the CSV; nothing of it is repeated
 */
export function rowsOf(format: Exclude<BatchFormat, 'json'>, text: string): unknown[] {
  return format === 'jsonl' ? jsonLines(text) : csvRows(text);
}

function jsonLines(text: string): unknown[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line, index) => {
    if (line === '') return [];
    try {
      return [JSON.parse(line) as unknown];
    } catch {
      throw unreadable(`line ${String(index + 1)} is not JSON`);
    }
  });
}

function csvRows(text: string): unknown[] {
  const [head = ''] = text.split('\n', 1);
  try {
    const rows = parse<Record<string, string>>(text, {
      bom: true,
      columns: (names: string[]) => names.map(columnName),
      delimiter: head.includes(';') ? ';' : ',',
      skip_empty_lines: true,
      trim: true,
    });
    return rows.map(payoutOf);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const line = typeof error.lines === 'number' ? `line ${String(error.lines)} of ` : '';
    throw unreadable(`${line}the CSV can not be read (${error.code})`);
  }
}

function columnName(name: string): string {
  const plain = name.trim().toLowerCase();
  if (columns.has(plain)) return plain;
  throw unreadable(`the first line must name the columns, of these: ${[...columns].join(', ')}`);
}

/** Cells are texts; two of the fields are numbers. What is no number stays a text, for the check to report. */
function payoutOf(cells: Record<string, string>): Record<string, unknown> {
  const filled = Object.entries(cells).filter(([, cell]) => cell !== '');
  return Object.fromEntries(
    filled.map(([name, cell]): [string, string | number] => {
      if (name === 'value' && /^\d{1,8}([.,]\d{1,2})?$/.test(cell))
        return [name, Number(cell.replace(',', '.'))];
      if (name === 'watch_days' && /^\d{1,3}$/.test(cell)) return [name, Number(cell)];
      return [name, cell];
    }),
  );
}

function unreadable(message: string): InvalidRequestError {
  return new InvalidRequestError([{ field: 'payouts', message }]);
}
