// `npm run fuzz -- 100000`: so many cases for everything that reads what comes from outside.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [wanted = '100000'] = process.argv.slice(2);
if (!/^[1-9]\d{0,8}$/.test(wanted)) {
  console.error('Usage: npm run fuzz -- <number of cases>');
  process.exit(2);
}
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const { status } = spawnSync(process.execPath, [vitest, 'run', 'test/fuzz', '--testTimeout', '3600000'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, FUZZ_CASES: wanted },
  stdio: 'inherit',
});
if (status === 0) console.log(`${wanted} cases: nothing broke, nothing hung, no card came back.`);
process.exit(status ?? 1);
