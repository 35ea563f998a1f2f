// `npm test`: all tests, tier by tier. Up to five files of servers or processes that failed are run once more, alone; what
// then passes is named as flaky. A core test that fails ends it at once: chance has no part in those.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { watchMachine } from './gate/machine.mjs';
import { filesToRepeat, together, verdict } from './gate/verdict.mjs';
import { runVitest } from './gate/vitest.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const named = (file) => relative(root, file);

const { first, again, busy } = await run();
const { broken, failed, failures, flaky, passed, skipped } = verdict(first, again);
list(`Flaky: they failed, then passed alone (${busy})`, flaky);
list('Failed', failures);
for (const what of broken) console.log(`\nFailed: ${what}`);
console.log(`\n${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
process.exitCode = failed === 0 ? 0 : 1;

async function run() {
  const core = await runVitest(['--project=core'], root);
  if (verdict(core).failed > 0) return { first: core };
  const machine = watchMachine();
  const server = await runVitest(['--project=server'], root);
  const processes = await runVitest(['--project=process'], root);
  const busy = machine();
  const first = together(core, server, processes);
  const files = filesToRepeat(first);
  if (files.length === 0) return { first, busy };
  console.log(`\nOnce more, alone, with servers of their own: ${files.map(named).join(', ')}`);
  return { first, busy, again: await runVitest(['--no-file-parallelism', ...files], root) };
}

function list(title, found) {
  if (found.length === 0) return;
  console.log(`\n${title}:`);
  for (const { error, file, test } of found) console.log(` ${named(file)} > ${test}\n   ${error}`);
}
