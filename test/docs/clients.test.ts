import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exampleRunBy } from './client-examples.js';
import { codeBlocks, root, tableRows, textOf } from './markdown.js';
import { commandsOf } from './shell.js';

const page = 'docs/clients/README.md';
const examples = join(root, 'docs/clients');
const folders = ['typescript', 'python', 'go', 'java/src/main/java'];
const code = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter((path) =>
  /\.(ts|py|go|java)$/.test(path),
);

test('no example is longer than 40 lines', () => {
  expect(code.length).toBeGreaterThan(20);
  const lines = (path: string) => readFileSync(join(examples, path), 'utf8').trimEnd().split('\n').length;
  expect(code.filter((path) => lines(path) > 40)).toEqual([]);
});

test('every example of the table is in the folder of its language', () => {
  const rows = tableRows(textOf(page), 'example');
  expect(rows.length).toBeGreaterThan(5);
  for (const [, , ...cells] of rows) {
    const named = cells.flatMap((cell, index) => {
      const [, name] = /^`(.*)`$/.exec(cell) ?? [];
      return name === undefined ? [] : [join(folders[index] ?? '', name)];
    });
    expect(named.filter((path) => !existsSync(join(examples, path)))).toEqual([]);
  }
});

test('every command that runs an example names one that is there', () => {
  const run = codeBlocks(page, 'sh')
    .flatMap((block) => commandsOf(block.code))
    .flatMap((words) => exampleRunBy(words) ?? []);
  expect(new Set(run.map((path) => path.split('/')[0])).size).toBe(4);
  expect(run.filter((path) => !existsSync(join(examples, path)))).toEqual([]);
});
