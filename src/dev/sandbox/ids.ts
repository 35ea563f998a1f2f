/**
 * Growing integers that start at the time of the start: a sandbox started anew never gives out an id that a
 * payment of a previous run may still be reading.
 */
export class Ids {
  #last = Date.now();

  next(): string {
    this.#last += 1;
    return String(this.#last);
  }
}
