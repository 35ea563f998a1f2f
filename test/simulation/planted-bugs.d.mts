/** A bug of the control: one place of one file, and what stands there instead. */
export type PlantedBug = {
  readonly kind: string;
  /** Found within so many simulated payments, or by exploration. */
  readonly within: number | 'exploration' | 'deep exploration';
  readonly file: string;
  readonly name: string;
  readonly find: string;
  readonly replace: string;
};

export const plantedBugs: readonly PlantedBug[];
