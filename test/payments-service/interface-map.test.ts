import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { retryTable } from '../../src/domain/retry-table.js';
import { serviceOrderStatuses, servicePayoutStatuses } from '../../src/domain/statuses.js';

const root = new URL('../../', import.meta.url);
const map = readFileSync(new URL('docs/interface-map.md', root), 'utf8');

/** The sections of the endpoints, by their headings. */
const sections = new Map(
  map
    .split(/^##+ /m)
    .map((section) => [section.split('\n')[0] ?? '', section] as const)
    .filter(([heading]) => /^(GET|POST|PUT) /.test(heading)),
);

test('the map has each endpoint of the retry table, and no other', () => {
  expect([...sections.keys()].sort()).toEqual(Object.keys(retryTable).sort());
});

test.each(Object.entries(retryTable))('the map gives %s the rule %s', (endpoint, rule) => {
  const section = sections.get(endpoint) ?? '';
  expect(section).toContain(`- Retry rule: \`${rule}\`.`);
  for (const part of ['Known', 'Assumed', 'Treated', 'Code']) {
    expect(section).toContain(`- ${part}: `);
  }
});

test('every path that the map names is there', () => {
  const paths = [...map.matchAll(/`((?:src|activities|workflows|docs|test)\/[^`]+)`/g)].map(
    ([, path]) => path,
  );
  expect(paths.length).toBeGreaterThan(Object.keys(retryTable).length);
  expect(paths.filter((path) => !existsSync(new URL(path ?? '', root)))).toEqual([]);
});

test('the map names every status of the service', () => {
  for (const status of serviceOrderStatuses) expect(map).toContain(`| orders | \`${status}\` |`);
  for (const status of servicePayoutStatuses) expect(map).toContain(`| payouts | \`${status}\` |`);
});
