import { stringify } from 'csv-stringify/sync';
import { printable } from '../domain/plain-text.js';

type Row = readonly (string | number | null)[];

/**
 * CSV by RFC 4180, one line a row, the last one ended as well; null is an empty cell. A text that a spreadsheet would
 * take for a formula begins with an apostrophe, and what controls a terminal is left out.
 *
 * @param lineEnd `\n` for programs that read the HTTP API line by line
 */
export function csvText(rows: readonly Row[], lineEnd: '\r\n' | '\n' = '\r\n'): string {
  const shown = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? printable(cell) : cell)));
  return stringify(shown, {
    escape_formulas: true,
    record_delimiter: lineEnd,
    // A cell with a line break is quoted, whichever it has.
    quote_record_delimiter: true,
  });
}
