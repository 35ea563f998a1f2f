/**
 * Whether the tests that need something of the machine run here. Where it is lacking they are skipped; with
 * `NO_TEST_SKIPPED`, as `.ci/run` sets it, their file fails instead. The one place that decides so.
 */
export function whereThereIs(what: string, isHere: boolean): boolean {
  if (!isHere && (process.env.NO_TEST_SKIPPED ?? '') !== '')
    throw new Error(`There is no ${what} here, and NO_TEST_SKIPPED lets no test be skipped for that.`);
  return isHere;
}

/**
 * Whether the tests of what one server alone can do run now. They are skipped also with `NO_TEST_SKIPPED`: `npm test` runs on the embedded server, and `npm run check:newest-server` on the newest.
 */
export function onServer(wanted: 'embedded' | 'newest', server: 'embedded' | 'newest'): boolean {
  return server === wanted;
}

/**
 * Whether the tests run for which only `FULL=1 npm test` has time, as in `.ci/run full`. What they protect is protected
 * by a cheaper test in each `npm test`.
 */
export function inFull(): boolean {
  return process.env.FULL === '1';
}

/** Whether the tests of what the kernel of this machine may lack run here. No package brings it: they may be skipped. */
export function onKernel(hasIt: boolean): boolean {
  return hasIt;
}
