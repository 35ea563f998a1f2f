// `npm run fuzz -- 1000000`: so many cases for everything that reads what comes from outside. `--seed N` repeats a run.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({ options: { seed: { type: 'string' } }, allowPositionals: true });
const [wanted = '1000000', ...others] = positionals;
const seed = values.seed ?? String(randomInt(2 ** 31));
if (!/^[1-9]\d{0,8}$/.test(wanted) || !/^\d{1,10}$/.test(seed) || others.length > 0) {
  console.error('Usage: npm run fuzz -- <number of cases> [--seed <number>]');
  process.exit(2);
}
const startedMs = Date.now();
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const bounds = ['--testTimeout', String(12 * 3_600_000)];
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/fuzz', ...bounds], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, FUZZ_CASES: wanted, FUZZ_SEED: seed },
  stdio: 'inherit',
});
const outcome = status === 0 ? 'nothing broke, nothing hung, no card came back' : 'failed, see above';
const seconds = Math.round((Date.now() - startedMs) / 1_000);
console.log(`${wanted} cases with seed ${seed} in ${seconds} s: ${outcome}.`);
process.exit(status ?? 1);
