/** One bug, planted in one place of the source. */
type PlantedBug = {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
};

export function withModule<Result>(
  entry: string,
  bug: PlantedBug | undefined,
  use: (address: string) => Promise<Result>,
  from?: string,
): Promise<Result>;
