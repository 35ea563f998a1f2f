/** A bug of the control: one place of one file, and what stands there instead. */
export type PlantedBug = {
  readonly kind: string;
  /** Found within so many simulated payments, by exploration, or by a test. */
  readonly within: number | 'exploration' | 'deep exploration' | { readonly test: string };
  readonly file: string;
  readonly name: string;
  readonly find: string;
  readonly replace: string;
  /** The moves that an exploration begins with. */
  readonly after: readonly string[];
};

export const plantedBugs: readonly PlantedBug[];
