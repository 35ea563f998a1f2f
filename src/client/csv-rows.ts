import { Readable } from 'node:stream';
import { CsvError, parse, type Info } from 'csv-parse';
import { batchLimits } from '../domain/batch-limits.js';
import { foldedName } from './json-text.js';
import { inPieces, pieces, tooLong, unreadable, type TextSource } from './text-pieces.js';

/** A row as cells by the names of the first line, and where it stands in the file. */
export type CsvRow = { readonly line: number; readonly cells: Record<string, string> };

/** So many characters of empty rows are passed over. */
const mostEmpty = 12 * batchLimits.rowLength;

type Parsed = { readonly record: readonly string[]; readonly info: Info };

/** What some spreadsheets write before the names, so that others part the cells as they do. */
const separatorLine = /^\s*"?sep=[,;]"?[,;\s]*?\n/i;

/**
 * The rows of a CSV whose first line names the columns, with commas or semicolons between the cells. Rows and columns of
 * empty cells are passed over: spreadsheets write them.
 *
 * @throws InvalidRequestError naming the line at fault; nothing of it is repeated
 */
export async function* csvRows(source: TextSource, known: ReadonlySet<string>): AsyncGenerator<CsvRow> {
  const text = pieces(source);
  let head = '';
  while (head.trim().split('\n').length < 2 && head.length <= batchLimits.rowLength) {
    const { value, done } = await text.next();
    if (done === true) break;
    head += value;
  }
  const parser = parse({
    delimiter: delimiterOf(head),
    from: separatorLine.test(head) ? 2 : 1,
    info: true,
    // One file may have several.
    record_delimiter: ['\r\n', '\n', '\r'],
    // How many cells there are is looked at below.
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    trim: true,
    max_record_size: batchLimits.rowLength,
  });
  let [sinceLine, sinceRow] = [0, 0];
  let lines = 0;
  let last = 0;
  const input = Readable.from(
    (async function* () {
      yield* inPieces(head);
      for await (const piece of text) {
        // Empty cells and lines count for nothing in the parser's own limit.
        if (parser.info.lines !== lines) sinceLine = 0;
        ({ lines } = parser.info);
        sinceLine += piece.length;
        sinceRow += piece.length;
        if (sinceLine > 4 * batchLimits.rowLength) throw tooLong(`line ${String(lines)}`);
        if (sinceRow > mostEmpty) throw unreadable(`behind line ${String(last)} stand too many empty rows`);
        yield piece;
      }
    })(),
  );
  input.once('error', (error) => parser.destroy(error));
  let columns: readonly string[] | undefined;
  try {
    for await (const { record, info } of input.pipe(parser) as AsyncIterable<Parsed>) {
      sinceRow = 0;
      if (record.some((cell) => /[\r\n]/.test(cell)))
        throw unreadable(
          `the row behind line ${String(last)} has a line break in a cell: look for a stray quotation mark`,
        );
      last = info.lines;
      if (columns === undefined) columns = columnsIn(record, known);
      else yield { line: info.lines, cells: cellsOf(record, columns, info.lines) };
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const isOpen = error.code === 'CSV_MAX_RECORD_SIZE' && Number(error.lines) > last + 1;
    if (isOpen || error.code === 'CSV_QUOTE_NOT_CLOSED')
      throw unreadable(`behind line ${String(last)} a quotation mark is opened that nothing closes`);
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw tooLong(`line ${String(error.lines)}`);
    const line = typeof error.lines === 'number' ? `line ${String(error.lines)} of ` : '';
    throw unreadable(`${line}the CSV can not be read (${error.code})`);
  } finally {
    input.destroy();
  }
}

/** Commas or semicolons part the cells, as the first line has them: spreadsheets write either. */
function delimiterOf(text: string): ',' | ';' {
  return text.trimStart().split('\n', 1)[0]?.includes(';') === true ? ';' : ',';
}

/**
 * The columns by name; one without a name has to be empty. One that is not known would be passed over, and of two by one
 * name only the latter would count.
 */
function columnsIn(names: readonly string[], known: ReadonlySet<string>): string[] {
  const columns = names.map(foldedName);
  const twice = columns.find((name, at) => known.has(name) && columns.indexOf(name) !== at);
  if (twice !== undefined)
    throw unreadable(`two columns are named ${twice}: it is not clear which of them counts`);
  const at = columns.findIndex((name) => name !== '' && !known.has(name));
  if (at === -1) return columns;
  // Without a line of names the first payee would stand there.
  const ofNames = 2 * columns.filter((each) => known.has(each)).length >= columns.length;
  const isNamed = ofNames && /^[A-Za-z_ -]{1,32}$/.test(columns[at] ?? '');
  const name = isNamed ? ` (${columns[at] ?? ''})` : '';
  const advice = `the first line must name the columns, with commas or semicolons between them, of these alone: ${[...known].join(', ')}`;
  throw unreadable(`column ${String(at + 1)}${name} is not known: ${advice}`);
}

function cellsOf(
  record: readonly string[],
  columns: readonly string[],
  line: number,
): Record<string, string> {
  if (record.length !== columns.length) {
    const counts = `${String(record.length)} cells, and the first line names ${String(columns.length)} columns`;
    throw unreadable(`line ${String(line)} has ${counts}: it is not clear which cell is which`);
  }
  const at = record.findIndex((cell, index) => cell !== '' && columns[index] === '');
  if (at !== -1)
    throw unreadable(`line ${String(line)} has a value in column ${String(at + 1)}, which has no name`);
  return Object.fromEntries(
    columns.flatMap((name, index) => (name === '' ? [] : [[name, record[index] ?? '']])),
  );
}
