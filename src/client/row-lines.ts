const lines = new WeakMap<object, number>();

/** Remembers in which line of its file a row stands. Apart from what reads files: a caller of the client reads none. */
export function keepLine(row: object, line: number): void {
  lines.set(row, line);
}

/** The line of its file in which a row stands; undefined for one that came by itself. */
export function lineOf(row: unknown): number | undefined {
  return typeof row === 'object' && row !== null ? lines.get(row) : undefined;
}
