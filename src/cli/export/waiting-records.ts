import type { ListedPayout } from '../../contract/payout-list.js';

/** `atMs`: when it was claimed, for the period; that of the record before it where it shows no time. */
export type TimedRecord = { readonly record: ListedPayout; readonly atMs: number };

/** Records of the list whose payout was not met yet, by its partner_code. */
export class WaitingRecords {
  readonly #byCode = new Map<string, { records: TimedRecord[]; asked: boolean }>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(code: string, record: TimedRecord): void {
    this.#size += 1;
    const waiting = this.#byCode.get(code);
    if (waiting === undefined) this.#byCode.set(code, { records: [record], asked: false });
    else waiting.records.push(record);
  }

  has(code: string): boolean {
    return this.#byCode.has(code);
  }

  take(code: string): TimedRecord[] {
    const { records } = this.#byCode.get(code) ?? { records: [] };
    this.#byCode.delete(code);
    this.#size -= records.length;
    return records;
  }

  codes(): string[] {
    return [...this.#byCode.keys()];
  }

  /** The codes of records of that time or later; each is given out once. */
  unasked(fromMs: number): string[] {
    return [...this.#byCode].flatMap(([code, waiting]) => {
      if (waiting.asked || !waiting.records.some(({ atMs }) => atMs >= fromMs)) return [];
      waiting.asked = true;
      return [code];
    });
  }
}
