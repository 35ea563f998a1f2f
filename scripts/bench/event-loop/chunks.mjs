import { Buffer } from 'node:buffer';

/** Beyond what a turn can take of them, more make no difference; the rest of a body comes as one. */
const mostChunks = 500_000;

/** A body in chunks of so many bytes, as one piece for the socket, so that it is the reader who has to take it apart. */
export function inChunks(content, chunk) {
  const count = Math.min(mostChunks, Math.floor(content.length / chunk));
  const head = Buffer.from(`${chunk.toString(16)}\r\n`);
  const size = head.length + chunk + 2;
  const chunks = Buffer.alloc(count * size, '\r\n');
  for (let i = 0; i < count; i += 1) {
    head.copy(chunks, i * size);
    content.copy(chunks, i * size + head.length, i * chunk, (i + 1) * chunk);
    chunks.write('\r\n', (i + 1) * size - 2);
  }
  const rest = content.subarray(count * chunk);
  const last =
    rest.length === 0 ? [] : [Buffer.from(`${rest.length.toString(16)}\r\n`), rest, Buffer.from('\r\n')];
  return Buffer.concat([chunks, ...last]);
}
