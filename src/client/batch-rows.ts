import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { batchLimits } from '../domain/batch-limits.js';
import { transferPayoutBody, pixPayoutBody } from '../contract/payout.js';
import { csvColumns, delimiterOf } from './csv-columns.js';
import { InvalidRequestError } from './errors.js';
import { jsonIn } from './json-text.js';
import { Utf8Text } from './utf8-text.js';

const pieceLength = 4_096;

/** How the payouts of a batch may be written. */
export const batchFormats = ['json', 'jsonl', 'csv'] as const;
export type BatchFormat = (typeof batchFormats)[number];

/** Fields of one value; `notify` does not fit into a cell. */
const columns = new Set(
  ['method', ...Object.keys(pixPayoutBody.shape), ...Object.keys(transferPayoutBody.shape)].filter(
    (name) => name !== 'notify',
  ),
);

/** A text as it comes, whole or in pieces. */
export type TextSource = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/**
 * Reads the rows of a batch, which are still to be checked, and stops at the first one too many. JSON Lines: one
 * payout a line. CSV: a line of column names first, which are those of the fields; an empty cell is a field left out;
 * commas or semicolons between them.
 *
 * @throws InvalidRequestError saying which line is no JSON or too long, or what is wrong with the CSV; nothing of it
 * is repeated
 */
export async function rowsOf(format: Exclude<BatchFormat, 'json'>, source: TextSource): Promise<unknown[]> {
  const rows: unknown[] = [];
  const found = format === 'jsonl' ? jsonLines(source) : csvPayouts(source);
  for await (const row of found) {
    if (rows.push(row) > batchLimits.rows) break;
  }
  return rows;
}

async function* jsonLines(source: TextSource): AsyncGenerator {
  let number = 0;
  for await (const line of linesOf(source)) {
    number += 1;
    if (line.length > batchLimits.rowLength) throw tooLong(number);
    if (line.trim() === '') continue;
    yield parsedLine(line, number);
  }
}

function parsedLine(line: string, number: number): unknown {
  try {
    return jsonIn(line);
  } catch (error) {
    if (error instanceof InvalidRequestError) throw unreadable(`line ${String(number)}: ${error.message}`);
    throw unreadable(`line ${String(number)} is not JSON`);
  }
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

async function* csvPayouts(source: TextSource): AsyncGenerator {
  for await (const cells of csvRows(source, columns)) yield payoutOf(cells);
}

/** The rows of a CSV, as cells by the names of its first line. @throws InvalidRequestError; nothing of it is repeated */
export async function* csvRows(
  source: TextSource,
  known: ReadonlySet<string>,
): AsyncGenerator<Record<string, string>> {
  const text = pieces(source);
  let head = '';
  while (!head.includes('\n') && head.length <= batchLimits.rowLength) {
    const { value, done } = await text.next();
    if (done === true) break;
    head += value;
  }
  const parser = parse({
    columns: (names: string[]) => {
      const { columns: read, problem } = csvColumns(names, known);
      if (problem !== null) throw unreadable(problem);
      return read;
    },
    delimiter: delimiterOf(head),
    skip_empty_lines: true,
    trim: true,
    max_record_size: batchLimits.rowLength,
  });
  let sinceRow = 0;
  const input = Readable.from(
    (async function* () {
      yield* inPieces(head);
      for await (const piece of text) {
        // Empty cells and lines count for nothing in the parser's own limit.
        sinceRow += piece.length;
        if (sinceRow > 4 * batchLimits.rowLength) throw tooLong(parser.info.lines);
        yield piece;
      }
    })(),
  );
  input.once('error', (error) => parser.destroy(error));
  try {
    for await (const row of input.pipe(parser)) {
      sinceRow = 0;
      yield row as Record<string, string>;
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw tooLong(Number(error.lines));
    const line = typeof error.lines === 'number' ? `line ${String(error.lines)} of ` : '';
    throw unreadable(`${line}the CSV can not be read (${error.code})`);
  } finally {
    input.destroy();
  }
}

/** Text in small pieces: between two of them others get their turn. */
export async function* pieces(source: TextSource): AsyncGenerator<string, undefined> {
  const decoder = new Utf8Text();
  for await (const chunk of source) {
    yield* inPieces(typeof chunk === 'string' ? chunk : decoder.decode(chunk));
  }
  yield decoder.decode();
  return undefined;
}

async function* inPieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length;) {
    // No character is parted: each piece is decoded by itself.
    const half = /[\ud800-\udbff]/.test(text.charAt(at + pieceLength - 1)) ? 1 : 0;
    yield text.slice(at, at + pieceLength + half);
    at += pieceLength + half;
    await nextTurn();
  }
}

function tooLong(line: number): InvalidRequestError {
  return unreadable(`line ${String(line)} is longer than ${String(batchLimits.rowLength)} characters`);
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
