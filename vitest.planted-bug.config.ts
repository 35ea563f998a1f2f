import { defineConfig } from 'vitest/config';
import { plantedInto } from './scripts/bundled.mjs';
import { plantedBugs } from './test/simulation/planted-bugs.mjs';

const bug = plantedBugs.find(({ name }) => name === process.env.PLANTED_BUG);
if (bug === undefined) throw new Error('PLANTED_BUG has to name a planted bug.');

/** A test on the code with one planted bug, as `npm run simulate -- --control` runs it: it has to fail. */
export default defineConfig({
  plugins: [plantedInto(bug)],
  test: { globalSetup: ['test/support/core-setup.ts'], pool: 'forks', testTimeout: 20_000 },
});
