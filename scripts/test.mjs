// `npm test`: all tests. What fails is run once more, alone; what then passes is named as flaky.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watchMachine } from './gate/machine.mjs';
import { filesToRepeat, verdict } from './gate/verdict.mjs';
import { runVitest } from './gate/vitest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

const machine = watchMachine();
const first = await runVitest([], root);
const busy = machine();
const files = filesToRepeat(first);
const again = files.length === 0 ? undefined : await runAlone(files);
const { broken, failed, failures, flaky, passed, skipped } = verdict(first, again);

list(`Flaky: failed, then passed alone (${busy})`, flaky);
list('Failed', failures);
for (const what of broken) console.log(`\nFailed: ${what}`);
console.log(`\n${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
process.exitCode = failed === 0 ? 0 : 1;

function runAlone(failedFiles) {
  console.log(`\nOnce more, alone, with servers of their own: ${failedFiles.map(named).join(', ')}`);
  return runVitest(['--maxWorkers=1', ...failedFiles], root);
}

function list(title, found) {
  if (found.length === 0) return;
  console.log(`\n${title}:`);
  for (const { error, file, test } of found) console.log(` ${named(file)} > ${test}\n   ${error}`);
}

function named(file) {
  return relative(root, file);
}
