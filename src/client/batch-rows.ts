import { batchLimits } from '../domain/batch-limits.js';
import { transferPayoutBody, pixPayoutBody } from '../contract/payout.js';
import { csvRows } from './csv-rows.js';
import { InvalidRequestError } from './errors.js';
import { jsonIn } from './json-text.js';
import { keepLine } from './row-lines.js';
import { pieces, tooLong, unreadable, type TextSource } from './text-pieces.js';

/** How the payouts of a batch may be written. */
export const batchFormats = ['json', 'jsonl', 'csv'] as const;
export type BatchFormat = (typeof batchFormats)[number];

type ReadRow = { readonly row: object; readonly line: number };

/** Fields of one value; `notify` does not fit into a cell. */
const columns = new Set(
  ['method', ...Object.keys(pixPayoutBody.shape), ...Object.keys(transferPayoutBody.shape)].filter(
    (name) => name !== 'notify',
  ),
);

/**
 * Reads the rows of a batch, which are still to be checked, and stops at the first one too many. JSON Lines: one
 * payout a line. CSV: a line of column names first, which are those of the fields; an empty cell is a field left out;
 * commas or semicolons between them.
 *
 * @throws InvalidRequestError saying which line is no JSON or too long, or what is wrong with the CSV; nothing of it
 * is repeated
 */
export async function rowsOf(format: Exclude<BatchFormat, 'json'>, source: TextSource): Promise<object[]> {
  const rows: object[] = [];
  const found = format === 'jsonl' ? jsonLines(source) : csvPayouts(source);
  for await (const { row, line } of found) {
    keepLine(row, line);
    if (rows.push(row) > batchLimits.rows) break;
  }
  return rows;
}

async function* jsonLines(source: TextSource): AsyncGenerator<ReadRow> {
  let number = 0;
  for await (const line of linesOf(source)) {
    number += 1;
    if (line.length > batchLimits.rowLength) throw tooLong(`line ${String(number)}`);
    if (line.trim() !== '') yield { line: number, row: parsedLine(line, number) };
  }
}

function parsedLine(line: string, number: number): object {
  try {
    const row = jsonIn(line);
    if (typeof row === 'object' && row !== null) return row;
  } catch (error) {
    if (error instanceof InvalidRequestError) throw unreadable(`line ${String(number)}: ${error.message}`);
    // Reported below: the parser's own words quote the content.
  }
  throw unreadable(`line ${String(number)} is not a JSON object`);
}

/** A line that has grown too long comes unfinished. */
async function* linesOf(source: TextSource): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces(source)) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > batchLimits.rowLength) yield rest;
  }
  yield rest;
}

async function* csvPayouts(source: TextSource): AsyncGenerator<ReadRow> {
  for await (const { line, cells } of csvRows(source, columns)) yield { line, row: payoutOf(cells) };
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
