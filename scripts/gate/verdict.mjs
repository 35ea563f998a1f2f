/** Above this many failed files something is broken, and nothing is run again. */
const mostRepeated = 5;

/**
 * The files that failed and are run once more: not when many did, or when more than tests has failed.
 *
 * @param {import('./vitest.mjs').Report} report
 * @returns {string[]}
 */
export function filesToRepeat({ broken, files }) {
  const failed = failedFiles(files);
  return broken === undefined && failed.length <= mostRepeated ? failed : [];
}

/**
 * What a run comes to: the result of each file, of its repetition where there was one, and the failures that the
 * repetition did not show.
 *
 * @param {import('./vitest.mjs').Report} first
 * @param {import('./vitest.mjs').Report} [again]
 */
export function verdict(first, again = { files: new Map() }) {
  const files = new Map([...first.files, ...again.files]);
  const stillFailed = new Set(failedFiles(files));
  const results = [...files.values()];
  const broken = [first.broken, again.broken].filter((what) => what !== undefined);
  return {
    passed: sum(results.map(({ passed }) => passed)),
    failed: sum(results.map(({ failures }) => failures.length)) + broken.length,
    skipped: sum(results.map(({ skipped }) => skipped)),
    broken,
    flaky: failuresOf(first.files, (file) => !stillFailed.has(file)),
    failures: failuresOf(files, (file) => stillFailed.has(file)),
  };
}

function failedFiles(files) {
  return [...files].filter(([, { failures }]) => failures.length > 0).map(([file]) => file);
}

function failuresOf(files, isMeant) {
  return [...files].flatMap(([file, { failures }]) =>
    isMeant(file) ? failures.map((failure) => ({ file, ...failure })) : [],
  );
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
