import { expect } from 'vitest';

/** Cases of all properties together: a few thousand, or as many as `npm run fuzz -- 100000` wants. */
const all = Number(process.env.FUZZ_CASES ?? 4_000);
/** What `npm run fuzz` drew or was given, so that a run can be repeated; without it each run draws the same. */
export const fixedSeed = { seed: Number(process.env.FUZZ_SEED ?? 1) };

/** What a property gets of them, in hundredths; the shares of all properties make up a hundred. */
export function cases(share: number): { numRuns: number; endOnFailure: true; seed: number } {
  const numRuns = Math.max(1, Math.round((all * share) / 100));
  return { numRuns, endOnFailure: true, ...fixedSeed };
}

/** Processor time that one case may take, with a wide margin over what any takes. */
const boundMs = 1_000;

/** Runs one case and refuses that it takes long: by processor time, for the machine may be busy. */
export async function bounded<T>(run: () => T | Promise<T>): Promise<T> {
  const before = process.cpuUsage();
  const result = await run();
  const { user } = process.cpuUsage(before);
  expect(user / 1_000).toBeLessThan(boundMs);
  return result;
}
