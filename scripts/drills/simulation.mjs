import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { rolldown } from 'rolldown';
import { seededRandom } from '../seeded-random.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A module of the simulation (test/simulation), which is TypeScript. */
async function load(module) {
  const bundle = await rolldown({
    input: join(root, 'test/simulation', module),
    platform: 'node',
    external: [/^node:/, /^(?![./]|file:)/],
  });
  const dir = await mkdtemp(join(root, 'node_modules/.drill-'));
  const file = join(dir, 'module.mjs');
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  const loaded = await import(pathToFileURL(file).href);
  await rm(dir, { recursive: true });
  return loaded;
}

/** What a seed determines. */
export function seeded(seed) {
  const next = seededRandom(seed);
  return {
    between: (from, to) => from + next() * (to - from),
    oneIn: (chances) => next() < 1 / chances,
    pick: (list) => list[Math.floor(next() * list.length)],
  };
}

let planModule;

/** Plans of one lifecycle, as the simulation draws them. */
export async function samplePlans(kind, count, seed) {
  planModule ??= load('plans.ts');
  const { plansOf } = await planModule;
  return fc.sample(plansOf(kind), { numRuns: count, seed });
}
