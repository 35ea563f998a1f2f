import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Bundles a module of the tests, has it used by its address, and removes it afterwards. With a bug
 * (`test/simulation/planted-bugs`), its one place in the source is replaced first. `from` is another checkout.
 */
export async function withModule(entry, bug, use, from = root) {
  let planted = 0;
  const plant = plantedInto(bug, () => (planted += 1));
  const bundle = await rolldown({
    input: from + entry,
    platform: 'node',
    external: [/^node:/, /^(?![./]|file:)/],
    plugins: [plant],
  });
  const dir = `${root}node_modules/.cache/bundled`;
  await mkdir(dir, { recursive: true });
  const file = `${dir}/${String(process.pid)}-${String(counted())}.mjs`;
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  if (bug !== undefined && planted !== 1) throw new Error(`"${bug.name}": no such file: ${bug.file}`);
  try {
    return await use(pathToFileURL(file).href);
  } finally {
    await rm(file);
  }
}

/** A plugin of a bundler that replaces the one place of a bug in the source. */
export function plantedInto(bug, done = () => undefined) {
  return {
    name: 'plant-bug',
    enforce: 'pre',
    transform(code, id) {
      if (bug === undefined || !id.endsWith(bug.file)) return null;
      if (code.split(bug.find).length !== 2)
        throw new Error(`"${bug.name}": its place is not found once in ${id}.`);
      done();
      return code.replace(bug.find, () => bug.replace);
    },
  };
}

let count = 0;
const counted = () => (count += 1);
