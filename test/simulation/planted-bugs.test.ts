import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { plantedBugs } from './planted-bugs.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));

test.each(plantedBugs)('"$name" ($kind) still has its one place in the source', ({ file, find, replace }) => {
  expect(readFileSync(root + file, 'utf8').split(find)).toHaveLength(2);
  expect(replace).not.toBe(find);
});

test('bugs are told apart by their kind and name', () => {
  const names = plantedBugs.map(({ kind, name }) => `${kind}: ${name}`);
  expect(new Set(names).size).toBe(names.length);
});
