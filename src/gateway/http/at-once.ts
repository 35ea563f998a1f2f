/** Counts what each caller has under way, up to a most. */
export class AtOnce {
  readonly #byCaller = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** Counts until the function that is returned is called. Returns null when the caller would have more than the most. */
  take(caller: string, amount = 1): (() => void) | null {
    const count = this.#byCaller.get(caller) ?? 0;
    if (count + amount > this.most) return null;
    this.#byCaller.set(caller, count + amount);
    let counts = true;
    return () => {
      if (!counts) return;
      counts = false;
      const left = (this.#byCaller.get(caller) ?? amount) - amount;
      if (left > 0) this.#byCaller.set(caller, left);
      else this.#byCaller.delete(caller);
    };
  }
}
