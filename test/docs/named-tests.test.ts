import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serverVersion } from '../../scripts/deployment/server-version.mjs';
import { root, tableRows, textOf } from './markdown.js';

const attacks = tableRows(textOf('docs/attacks.md'), 'attack');
const findings = tableRows(textOf('docs/findings.md'), 'finding');
const operations = tableRows(textOf('docs/temporal-operations.md'), 'operation');

/** Each test file of a cell, with the sentences that it is named with: `test/a.test.ts`: “does this” and “does that”. */
function testsIn(cell = ''): { path: string; title: string }[] {
  return [...cell.matchAll(/`(test\/[^`]+\.ts)`: ((?:“[^”]+”(?: and )?)+)/g)].flatMap(
    ([, path = '', titles = '']) =>
      [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => ({ path, title })),
  );
}

const rows = [...attacks, ...findings, ...operations].map((cells) => [cells[0], cells.at(-1)] as const);

test.each(rows)('%s: it is shown by tests that are there, by their whole sentences', (_, cell = '') => {
  const named = testsIn(cell);
  expect(named.length).toBe(cell.split('“').length - 1);
  expect(named.length).toBeGreaterThan(0);
  for (const { path, title } of named) {
    const quoted = title.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
    expect(textOf(path), path).toMatch(new RegExp(`(['"\`])${quoted}\\1`));
  }
});

test.each(attacks)('%s: it is stopped by files that are there', (_, guards = '') => {
  const named = [...guards.matchAll(/`([\w.-]+(?:\/[\w.-]+)+|docker-compose\.yml|Dockerfile)`/g)];
  expect(named.length).toBeGreaterThan(0);
  for (const [, path = ''] of named) expect(existsSync(join(root, path)), path).toBe(true);
});

test('every attack suite is there with a sentence', () => {
  expect(attacks.length).toBeGreaterThan(40);
  const suites = readdirSync(join(root, 'test/security/attacks')).map(
    (name) => `test/security/attacks/${name}`,
  );
  const named = attacks.flatMap((cells) => testsIn(cells.at(-1)).map(({ path }) => path));
  expect(suites.filter((suite) => !named.includes(suite))).toEqual([]);
});

test('no finding is left out', () => {
  expect(findings.map(([number]) => Number(number))).toEqual(findings.map((_, index) => index + 1));
  expect(findings.length).toBeGreaterThanOrEqual(29);
});

test('every test of what operators do stands in the table of operations', () => {
  const named = operations.flatMap((cells) => testsIn(cells.at(-1)));
  const suites = readdirSync(join(root, 'test/operators')).filter((name) => name.endsWith('.test.ts'));
  const written = suites.flatMap((name) => {
    const path = `test/operators/${name}`;
    const titles = textOf(path).matchAll(/^test(?:\.runIf\(.+?\)\))?\(\s*'(.+)'/gm);
    return [...titles].map(([, title = '']) => ({ path, title }));
  });
  expect(written.length).toBeGreaterThan(15);
  expect(named).toEqual(expect.arrayContaining(written));
  expect(named).toHaveLength(written.length);
});

test('the newest server of the operations is the one that is built', () => {
  expect(textOf('docs/temporal-operations.md')).toContain(`(${serverVersion.slice(1)})`);
});
