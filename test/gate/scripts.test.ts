import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const scripts = readdirSync(join(root, 'scripts'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.mjs'))
  .map((name) => join(root, 'scripts', name));

/** What is built of a source file is as that file has it. */
const builtFromSource = {
  name: 'built-from-source',
  resolveId: (name: string, importer: string | undefined) => {
    const path = importer === undefined ? name : resolve(importer, '..', name);
    const [, file] = /^dist\/(.*)\.js$/.exec(path.slice(root.length)) ?? [];
    return file === undefined ? null : join(root, `${file}.ts`);
  },
};

test('scripts import only what there is', async () => {
  const logs: string[] = [];
  const bundle = await rolldown({
    ...{ input: scripts, platform: 'node', external: /^(?!\.{0,2}\/)/, plugins: [builtFromSource] },
    onLog: (_level, { message }) => logs.push(message),
  });
  await bundle.generate();
  await bundle.close();
  expect(logs).toEqual([]);
});
