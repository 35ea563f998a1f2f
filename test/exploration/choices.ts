/** What may come of the calls of one step: each way is gone once. */
export class Choices {
  readonly #taken: readonly number[];
  readonly #made: { readonly at: number; readonly of: number; readonly name: string }[] = [];

  constructor(taken: readonly number[] = []) {
    this.#taken = taken;
  }

  /** One of these; which one, the search decides. */
  pick<const Name extends string>(names: readonly [Name, ...Name[]]): Name {
    const at = this.#taken[this.#made.length] ?? 0;
    const name = names[at] ?? names[0];
    this.#made.push({ at, of: names.length, name });
    return name;
  }

  /** What was picked, for a counterexample. */
  get names(): readonly string[] {
    return this.#made.map(({ name }) => name);
  }

  /** The next way to go; undefined when all were gone. */
  next(): Choices | undefined {
    const last = this.#made.findLastIndex(({ at, of }) => at + 1 < of);
    if (last === -1) return undefined;
    return new Choices(this.#made.slice(0, last + 1).map(({ at }, index) => (index === last ? at + 1 : at)));
  }
}
