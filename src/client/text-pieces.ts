import { setImmediate as nextTurn } from 'node:timers/promises';
import { batchLimits } from '../domain/batch-limits.js';
import { InvalidRequestError } from './errors.js';
import { Utf8Text } from './utf8-text.js';

/** A text as it comes, whole or in pieces. */
export type TextSource = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

const pieceLength = 4_096;

/** Text in small pieces: between two of them others get their turn. */
export async function* pieces(source: TextSource): AsyncGenerator<string, undefined> {
  const decoder = new Utf8Text();
  for await (const chunk of source) {
    yield* inPieces(typeof chunk === 'string' ? chunk : decoder.decode(chunk));
  }
  yield decoder.decode();
  return undefined;
}

export async function* inPieces(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length;) {
    // No character is parted: each piece is decoded by itself.
    const half = /[\ud800-\udbff]/.test(text.charAt(at + pieceLength - 1)) ? 1 : 0;
    yield text.slice(at, at + pieceLength + half);
    at += pieceLength + half;
    await nextTurn();
  }
}

/** What is wrong with a text of payouts, for its sender. */
export function unreadable(message: string): InvalidRequestError {
  return new InvalidRequestError([{ field: 'payouts', message }]);
}

/** A row, or the line that it is on, is longer than any may be. */
export function tooLong(place: string): InvalidRequestError {
  return unreadable(`${place} is longer than ${String(batchLimits.rowLength)} characters`);
}
