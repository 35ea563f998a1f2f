import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');

/**
 * One run of vitest, which prints as usual.
 *
 * @param {readonly string[]} args
 * @param {string} cwd
 * @returns {Promise<import('./vitest.mjs').Report>}
 */
export async function runVitest(args, cwd) {
  const dir = await mkdtemp(join(tmpdir(), 'durable-payments-gate-'));
  try {
    const file = join(dir, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const code = await ended(
      spawn(process.execPath, [vitest, 'run', ...args, ...reporters], { cwd, stdio: 'inherit' }),
    );
    return reportOf(await readFile(file, 'utf8').catch(() => undefined), code);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** @param {import('node:child_process').ChildProcess} child */
function ended(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
}

/**
 * @param {string | undefined} json what vitest's JSON reporter wrote
 * @param {number | string} code how vitest ended
 * @returns {import('./vitest.mjs').Report}
 */
export function reportOf(json, code) {
  if (json === undefined) return broken(`vitest ended with ${code} and without a report`);
  const results = JSON.parse(json).testResults;
  const files = new Map(results.map((result) => [result.name, fileResult(result)]));
  const allPassed = [...files.values()].every(({ failures }) => failures.length === 0);
  if (code === 0 || !allPassed) return { files, broken: [] };
  return broken(`vitest ended with ${code} although no test failed: see its errors above`, files);
}

function broken(why, files = new Map()) {
  return { files, broken: [why] };
}

/** A file that could not be loaded counts as one failed test. */
function fileResult({ assertionResults, message, status }) {
  const count = (wanted) => assertionResults.filter((test) => test.status === wanted).length;
  const failures = assertionResults
    .filter((test) => test.status === 'failed')
    .map((test) => ({ test: test.fullName, error: firstLine(test.failureMessages[0]) }));
  if (status === 'failed' && failures.length === 0) {
    failures.push({ test: '(the file itself)', error: firstLine(message) });
  }
  const passed = count('passed');
  return { passed, skipped: assertionResults.length - passed - count('failed'), failures };
}

function firstLine(text = '') {
  return text.split('\n', 1)[0].slice(0, 300);
}
