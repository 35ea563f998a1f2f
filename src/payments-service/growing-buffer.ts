/** Bytes that come in any number of chunks: a million of one byte take no more room than one of a million. */
export class GrowingBuffer {
  #room = Buffer.alloc(16_384);
  #length = 0;

  add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (length > this.#room.length) this.#room = Buffer.concat([this.bytes()], 2 * length);
    chunk.copy(this.#room, this.#length);
    this.#length = length;
  }

  bytes(): Buffer {
    return this.#room.subarray(0, this.#length);
  }
}
