import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serverVersion } from '../../scripts/deployment/server-version.mjs';
import { root, textOf } from './markdown.js';
import { expectTests, testsIn } from './named-tests.js';

const document = textOf('docs/temporal-operations.md');
const rows = [...document.matchAll(/^\| (.+) \| .+ \| .+ \| (.+) \|$/gm)]
  .map(([, operation = '', tests = '']) => ({ operation, tests }))
  .filter(({ operation }) => !/^(operation|---)$/.test(operation));

describe.each(rows)('$operation', ({ tests }) => {
  test('is shown by tests that are there, by their sentences', () => {
    expectTests(tests);
  });
});

test('every test of what operators do stands in the table', () => {
  const named = rows.flatMap(({ tests }) => testsIn(tests));
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

test('the newest server is the one that is built', () => {
  expect(document).toContain(`(${serverVersion.slice(1)})`);
});
