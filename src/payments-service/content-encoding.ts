import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { hasTooManyElements } from './answer-bounds.js';

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const decodeDeflate: Decoder = (bytes, options) =>
  // Some servers leave out the head of zlib's format.
  promisify<Buffer, object, Buffer>(inflate)(bytes, options).catch((error: unknown) => {
    if (error instanceof RangeError) throw error;
    return promisify<Buffer, object, Buffer>(inflateRaw)(bytes, options);
  });
const decodeGzip: Decoder = promisify<Buffer, object, Buffer>(gunzip);
const decoders: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', decodeGzip],
  ['x-gzip', decodeGzip],
  ['deflate', decodeDeflate],
  ['br', promisify<Buffer, object, Buffer>(brotliDecompress)],
]);

/** What an answer says, or why it can't be read, in words for an operator. */
type Decoded = { body: string; fault?: undefined } | { body?: undefined; fault: string };

/**
 * Decodes an answer, which some servers compress though nobody asked for it; an empty one says nothing. JSON is read as it is,
 * whatever it is said to be: some proxies decode, and leave the header. Never rejects.
 *
 * @param encoding its Content-Encoding
 */
export async function decodeBody(bytes: Buffer, encoding: string, maxBytes: number): Promise<Decoded> {
  const name = encoding.trim().toLowerCase();
  const plainText = new TextDecoder().decode(bytes);
  if (bytes.length === 0 || name === 'identity' || isJson(plainText)) return bounded(plainText);
  const decode = decoders.get(name);
  if (decode === undefined) return { fault: 'its Content-Encoding is not known here' };
  try {
    return bounded(new TextDecoder().decode(await decode(bytes, { maxOutputLength: maxBytes })));
  } catch (error) {
    return { fault: error instanceof RangeError ? 'it is too large' : `it is not valid ${name}` };
  }
}

function bounded(body: string): Decoded {
  return hasTooManyElements(body) ? { fault: 'it has too many elements' } : { body };
}

function isJson(text: string): boolean {
  if (hasTooManyElements(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
