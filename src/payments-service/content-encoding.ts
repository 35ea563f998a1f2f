import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const deflated: Decoder = (bytes, options) =>
  // Some servers leave out the head of zlib's format.
  promisify<Buffer, object, Buffer>(inflate)(bytes, options).catch((error: unknown) => {
    if (error instanceof RangeError) throw error;
    return promisify<Buffer, object, Buffer>(inflateRaw)(bytes, options);
  });
const gunzipped: Decoder = promisify<Buffer, object, Buffer>(gunzip);
const decoders: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', gunzipped],
  ['x-gzip', gunzipped],
  ['deflate', deflated],
  ['br', promisify<Buffer, object, Buffer>(brotliDecompress)],
  ['identity', (bytes) => Promise.resolve(bytes)],
]);

/**
 * What an answer says, which some servers compress though nobody asked for it; an empty one says nothing. JSON is read as it
 * is, whatever it is said to be: some proxies decode, and leave the header.
 *
 * @param encoding its Content-Encoding
 * @throws Error saying why it can't be read, in words for an operator
 */
export async function decoded(bytes: Buffer, encoding: string, maxBytes: number): Promise<string> {
  const plainText = textOf(bytes);
  if (bytes.length === 0 || isJson(plainText)) return plainText;
  const decode = decoders.get(encoding.trim().toLowerCase());
  if (decode === undefined) throw new Error('its Content-Encoding is not known here');
  const plain = await decode(bytes, { maxOutputLength: maxBytes }).catch((error: unknown) => {
    const isTooLarge = error instanceof RangeError;
    throw new Error(isTooLarge ? 'it is too large' : `it is no ${encoding.trim().toLowerCase()}`);
  });
  return textOf(plain);
}

/** UTF-8, or else what old servers write in its place: a lost letter may be that of a word that says what was done. */
function textOf(bytes: Buffer): string {
  const text = new TextDecoder().decode(bytes);
  return text.includes('\ufffd') ? new TextDecoder('windows-1252').decode(bytes) : text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
