/** How many calls of each webhook are under way, so that one that hangs leaves room for the others. */
export class CallsUnderWay {
  readonly #counts = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** Makes a call of that URL, or answers undefined at once when as many as allowed are under way. */
  async call<Result>(url: string, make: () => Promise<Result>): Promise<Result | undefined> {
    const before = this.#counts.get(url) ?? 0;
    if (before >= this.most) return undefined;
    this.#counts.set(url, before + 1);
    try {
      return await make();
    } finally {
      const left = (this.#counts.get(url) ?? 0) - 1;
      if (left > 0) this.#counts.set(url, left);
      else this.#counts.delete(url);
    }
  }
}
