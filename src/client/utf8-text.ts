import { InvalidRequestError } from './errors.js';

/** Decodes UTF-8 as it comes, with or without a byte order mark; anything else would be paid under another name. */
export class Utf8Text {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  /** The same without an end at the first fault, to find its line. */
  readonly #lenient = new TextDecoder();
  #line = 1;

  /** @param bytes the next ones; none at the end. @throws InvalidRequestError naming the line that is no UTF-8 */
  decode(bytes?: Uint8Array): string {
    try {
      const text = this.#decoder.decode(bytes, { stream: bytes !== undefined });
      this.#line += linesIn(text);
      this.#lenient.decode(bytes, { stream: bytes !== undefined });
      return text;
    } catch {
      const [before = ''] = this.#lenient.decode(bytes).split('\ufffd', 1);
      const line = String(this.#line + linesIn(before));
      throw new InvalidRequestError([
        { field: '(body)', message: `line ${line} is not UTF-8 text: save it as UTF-8` },
      ]);
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
