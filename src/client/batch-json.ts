import { JSONParser } from '@streamparser/json';
import type { FieldProblem } from '../contract/problems.js';
import { batchLimits } from '../domain/batch-limits.js';
import { InvalidRequestError } from './errors.js';
import { namedTwice, UniqueNames } from './json-text.js';
import { pieces, tooLong, unreadable, type TextSource } from './text-pieces.js';

/** Fields beside `payouts`; more than these are no batch. */
const mostFields = 20;

/**
 * Reads the JSON object of a batch as it comes, and stops at the first row too many. What it holds is still to be
 * checked.
 *
 * @throws InvalidRequestError when it is no JSON object, a row is too long, or a member is there twice; no value of it
 * is repeated
 */
export async function batchFromJson(source: TextSource): Promise<Record<string, unknown>> {
  const rows: unknown[] = [];
  const fields = new Map<string, unknown>();
  let unfinished = 0;
  const names = new UniqueNames(ofRow);
  const parser = new JSONParser({ paths: ['$.payouts.*', '$.*'], keepStack: false });
  parser.onToken = (token) => {
    names.take(token);
  };
  parser.onValue = ({ value, key, stack }) => {
    unfinished = 0;
    if (stack.length === 1 && typeof key === 'string') fields.set(key, value);
    else if (stack.length === 2 && typeof key === 'number') rows.push(value);
    else throw notABatch();
  };
  for await (const piece of pieces(source)) {
    unfinished += piece.length;
    // The parser would drop it.
    if (piece.includes('\ufeff')) throw unreadable('must not have a byte order mark within');
    write(parser, piece);
    if (rows.length > batchLimits.rows) break;
    if (unfinished > 2 * batchLimits.rowLength) throw tooLong(`row ${String(rows.length + 1)}`);
    if (fields.size > mostFields) throw notABatch();
  }
  if (!parser.isEnded && rows.length <= batchLimits.rows) throw notABatch();
  const payouts = Array.isArray(fields.get('payouts')) || rows.length > 0 ? { payouts: rows } : {};
  return { ...Object.fromEntries(fields), ...payouts };
}

/** What is named beside a batch as well as in it has to be the same. @throws InvalidRequestError */
export function withHead(
  batch: Record<string, unknown>,
  head: Record<string, unknown>,
): Record<string, unknown> {
  for (const [field, value] of Object.entries(head)) {
    if ([undefined, value].includes(batch[field])) continue;
    throw new InvalidRequestError([{ field, message: 'is another one in the batch than beside it' }]);
  }
  return { ...batch, ...head };
}

function write(parser: JSONParser, piece: string): void {
  try {
    parser.write(piece);
  } catch (error) {
    // The parser's own words quote the content.
    throw error instanceof InvalidRequestError ? error : notABatch();
  }
}

/** What is there twice, with the row that it stands in. */
function ofRow(path: readonly (string | number)[]): FieldProblem {
  const [list, at, ...within] = path;
  return list === 'payouts' && typeof at === 'number'
    ? { ...namedTwice(within), row: at + 1 }
    : namedTwice(path);
}

function notABatch(): InvalidRequestError {
  return new InvalidRequestError([
    { field: '(body)', message: 'must be a JSON object with batch_id and a list of payouts' },
  ]);
}
