import { expect } from 'vitest';
import { textOf } from './markdown.js';

/** Each test file of a cell, with the sentences that it is named with: `test/a.test.ts`: “does this” and “does that”. */
export function testsIn(cell: string): { path: string; title: string }[] {
  return [...cell.matchAll(/`(test\/[^`]+\.ts)`: ((?:“[^”]+”(?: and )?)+)/g)].flatMap(
    ([, path = '', titles = '']) =>
      [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ path, title })),
  );
}

/** Every sentence of a cell is the whole title of a test, or of a group of them, in its file. */
export function expectTests(cell: string): void {
  const named = testsIn(cell);
  expect(named.length).toBe(cell.split('“').length - 1);
  expect(named.length).toBeGreaterThan(0);
  for (const { path, title } of named) expect(textOf(path), path).toMatch(quoted(title));
}

function quoted(title: string): RegExp {
  return new RegExp(`(['"\`])${title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}\\1`);
}
