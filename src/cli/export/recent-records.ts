import type { ListedPayout } from '../../contract/payout-list.js';

/** How many new payouts may come in between two reads of the list before a record that they shift is counted twice. */
export const rememberedRecords = 10_000;

/** The latest records of a list whose pages shift while new ones come in: each is taken once. */
export class RecentRecords {
  readonly #keys = new Set<string>();
  /** The same keys, in the order in which they came; the oldest stands where the next one goes. */
  readonly #ring: string[] = [];
  #next = 0;

  get size(): number {
    return this.#keys.size;
  }

  isNew(record: ListedPayout): boolean {
    const key = record.id ?? JSON.stringify(record);
    if (this.#keys.has(key)) return false;
    this.#keys.add(key);
    const oldest = this.#ring[this.#next];
    if (oldest !== undefined) this.#keys.delete(oldest);
    this.#ring[this.#next] = key;
    this.#next = (this.#next + 1) % rememberedRecords;
    return true;
  }
}
