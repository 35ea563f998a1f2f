import { JSONParser } from '@streamparser/json';
import { batchLimits } from '../domain/batch-limits.js';
import { pieces, type TextSource } from './batch-rows.js';
import { InvalidRequestError } from './errors.js';

/** Fields beside `payouts`; more than these are no batch. */
const mostFields = 20;

/**
 * Reads the JSON object of a batch as it comes, and stops at the first row too many. What it holds is still to be
 * checked.
 *
 * @throws InvalidRequestError when it is no JSON object, or a row is too long; nothing of it is repeated
 */
export async function batchFromJson(source: TextSource): Promise<Record<string, unknown>> {
  const rows: unknown[] = [];
  const fields = new Map<string, unknown>();
  let unfinished = 0;
  const parser = new JSONParser({ paths: ['$.payouts.*', '$.*'], keepStack: false });
  parser.onValue = ({ value, key, stack }) => {
    unfinished = 0;
    if (stack.length === 1 && typeof key === 'string') fields.set(key, value);
    else if (stack.length === 2 && typeof key === 'number') rows.push(value);
    else throw notABatch();
  };
  for await (const piece of pieces(source)) {
    unfinished += piece.length;
    write(parser, piece);
    if (rows.length > batchLimits.rows) break;
    if (unfinished > 2 * batchLimits.rowLength)
      throw unreadable(
        `row ${String(rows.length + 1)} is longer than ${String(batchLimits.rowLength)} characters`,
      );
    if (fields.size > mostFields) throw notABatch();
  }
  if (!parser.isEnded && rows.length <= batchLimits.rows) throw notABatch();
  const payouts = Array.isArray(fields.get('payouts')) || rows.length > 0 ? { payouts: rows } : {};
  return { ...Object.fromEntries(fields), ...payouts };
}

function write(parser: JSONParser, piece: string): void {
  try {
    parser.write(piece);
  } catch (error) {
    // The parser's own words quote the content.
    throw error instanceof InvalidRequestError ? error : notABatch();
  }
}

function notABatch(): InvalidRequestError {
  return new InvalidRequestError([
    { field: '(body)', message: 'must be a JSON object with batch_id and a list of payouts' },
  ]);
}

function unreadable(message: string): InvalidRequestError {
  return new InvalidRequestError([{ field: 'payouts', message }]);
}
