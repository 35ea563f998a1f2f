/** A bug of the control: one place of one file, and what stands there instead. */
export type PlantedBug = {
  readonly kind: string;
  readonly within: number;
  readonly file: string;
  readonly name: string;
  readonly find: string;
  readonly replace: string;
};

export const plantedBugs: readonly PlantedBug[];
