/** Above this many failed files something is broken, and nothing is run again. */
const mostRepeated = 5;

/**
 * Several runs as one; of a file that ran twice, what the later run showed.
 *
 * @param {readonly import('./vitest.mjs').Report[]} reports
 * @returns {import('./vitest.mjs').Report}
 */
export function together(...reports) {
  return {
    files: new Map(reports.flatMap(({ files }) => [...files])),
    broken: reports.flatMap(({ broken }) => broken),
  };
}

/**
 * The files that failed and are run once more: none when many did, or when more than tests has failed.
 *
 * @param {import('./vitest.mjs').Report} report
 * @returns {string[]}
 */
export function filesToRepeat({ broken, files }) {
  const failed = failedFiles(files);
  return broken.length === 0 && failed.length <= mostRepeated ? failed : [];
}

/**
 * What a run comes to: the result of each file, of its repetition where there was one, and the failures that the
 * repetition did not show.
 *
 * @param {import('./vitest.mjs').Report} first
 * @param {import('./vitest.mjs').Report} [again]
 */
export function verdict(first, again = { files: new Map(), broken: [] }) {
  const { broken, files } = together(first, again);
  const stillFailed = new Set(failedFiles(files));
  const results = [...files.values()];
  return {
    broken,
    passed: sum(results.map(({ passed }) => passed)),
    failed: sum(results.map(({ failures }) => failures.length)) + broken.length,
    skipped: sum(results.map(({ skipped }) => skipped)),
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
