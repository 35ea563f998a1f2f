/** One bug, planted in one place of the source. */
type PlantedBug = {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
};

/** A plugin of a bundler that replaces the one place of a bug in the source. */
export function plantedInto(bug: PlantedBug | undefined): {
  name: string;
  enforce: 'pre';
  transform(code: string, id: string): string | null;
};

export function withModule<Result>(
  entry: string,
  bug: PlantedBug | undefined,
  use: (address: string) => Promise<Result>,
  from?: string,
): Promise<Result>;
