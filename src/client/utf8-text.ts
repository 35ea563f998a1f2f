import { InvalidRequestError } from './errors.js';

/** Decodes UTF-8 as it comes, with or without a byte order mark; anything else would be paid under another name. */
export class Utf8Text {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** The same without an end at the first fault, to find its line. */
  readonly #lenient = new TextDecoder();
  #line = 1;

  /** @param bytes the next ones; none at the end. @throws InvalidRequestError naming the line that is no UTF-8 */
  decode(bytes?: Uint8Array): string {
    const stream = bytes !== undefined;
    const lenient = this.#lenient.decode(bytes, { stream });
    const text = this.#decoded(bytes, stream);
    // UTF-16 of plain letters is UTF-8 with a zero byte beside each.
    if (text === undefined || text.includes('\0')) {
      const [before = ''] = lenient.split(/[\0\ufffd]/, 1);
      const line = String(this.#line + linesIn(before));
      const message = `line ${line} is not UTF-8 text: save it as UTF-8`;
      throw new InvalidRequestError([{ field: '(body)', message }]);
    }
    this.#line += linesIn(text);
    return text;
  }

  #decoded(bytes: Uint8Array | undefined, stream: boolean): string | undefined {
    try {
      return this.#decoder.decode(bytes, { stream });
    } catch {
      return undefined;
    }
  }
}

/** A whole text. @throws InvalidRequestError naming the line that is no UTF-8 */
export function utf8TextOf(bytes: Uint8Array): string {
  const text = new Utf8Text();
  return text.decode(bytes) + text.decode();
}

function linesIn(text: string): number {
  return text.split('\n').length - 1;
}
