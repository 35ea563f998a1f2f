import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root, textOf } from './markdown.js';
import { expectTests, testsIn } from './named-tests.js';

const document = 'docs/attacks.md';
const rows = [...textOf(document).matchAll(/^\| (.+) \| (.+) \| (.+) \|$/gm)]
  .map(([, attack = '', guards = '', tests = '']) => ({ attack, guards, tests }))
  .filter(({ attack }) => !/^(attack|---)$/.test(attack));

describe.each(rows)('$attack', ({ guards, tests }) => {
  test('is stopped by files that are there', () => {
    const named = [...guards.matchAll(/`([\w.-]+(?:\/[\w.-]+)+|docker-compose\.yml|Dockerfile)`/g)];
    expect(named.length).toBeGreaterThan(0);
    for (const [, path = ''] of named) expect(existsSync(join(root, path)), path).toBe(true);
  });

  test('is shown by tests that are there, by their sentences', () => {
    expectTests(tests);
  });
});

test('every attack suite is there with a sentence', () => {
  expect(rows.length).toBeGreaterThan(40);
  const suites = readdirSync(join(root, 'test/security/attacks')).map(
    (name) => `test/security/attacks/${name}`,
  );
  const named = rows.flatMap(({ tests }) => testsIn(tests).map(({ path }) => path));
  expect(suites.filter((suite) => !named.includes(suite))).toEqual([]);
});
