export type Failure = { readonly test: string; readonly error: string };
export type FileResult = {
  readonly passed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
};
/** `broken` is what failed beside the tests. */
export type Report = { readonly files: ReadonlyMap<string, FileResult>; readonly broken: readonly string[] };

export function reportOf(json: string | undefined, code: number | string): Report;
export function runVitest(args: readonly string[], cwd: string): Promise<Report>;
