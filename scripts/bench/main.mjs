// What payments cost beside what the same calls cost a bare SDK, in one run on one machine: docs/performance.md says how
// to read it. Linux only, for the CPU of each process. Usage: npm run bench -- --help
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { startBench } from './bench.mjs';
import { readOptions } from './options.mjs';
import { drawCpu } from './report/svg.mjs';
import { printReport } from './report/text.mjs';
import { runRounds } from './runner.mjs';
import { compare } from './targets.mjs';

const options = readOptions();
const bench = await startBench(options);
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => void bench.processes.close().finally(() => process.exit(1)));
try {
  const startedMs = Date.now();
  const seconds = () => String(Math.round((Date.now() - startedMs) / 1_000));
  const results = await runRounds(bench, options, (round) =>
    console.log(`round ${String(round)} of ${String(options.rounds)} after ${seconds()} s`),
  );
  printReport(results);
  if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(asJson(results), null, 2));
  if (options.svg !== undefined) writeFileSync(options.svg, drawCpu(results));
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await bench.close();
}

function asJson(results) {
  const { payments, postbacks, rounds, open } = options;
  return {
    at: new Date().toISOString(),
    cores: availableParallelism(),
    node: process.version,
    options: { payments, postbacks, rounds, open },
    cases: Object.fromEntries(
      [...results].map(([name, { title, rounds: measured, costs }]) => [
        name,
        { title, rounds: measured, ...(costs !== undefined && { costs }) },
      ]),
    ),
    compared: compare(results),
  };
}
