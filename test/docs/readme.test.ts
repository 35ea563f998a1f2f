import { expect, test } from 'vitest';
import { scenes } from '../../src/dev/demo/scenes.js';
import { codeBlocks, documents, tableRows, textOf } from './markdown.js';

const readme = textOf('README.md');
/** What stands before the first heading of a section. */
const [head = ''] = readme.split(/^## /m);

test('it is short enough to be read', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(150);
});

test('the output of the demo names scenes that the demo has', () => {
  const titles = codeBlocks('README.md', 'text').flatMap(({ code }) =>
    [...code.matchAll(/^\d+\/\d+ (.*)$/gm)].map(([, title]) => title),
  );
  expect(titles.length).toBeGreaterThan(0);
  expect(scenes.map(({ title }) => title)).toEqual(expect.arrayContaining(titles));
});

test('its first screen shows a picture, starts the demo, the tests and the program, and leads to the limits', () => {
  expect(head).toMatch(/!\[[^\]]+\]\(docs\/pictures\/[\w-]+\.png\)/);
  const [commands] = codeBlocks('README.md', 'sh');
  expect(commands?.code.split('\n').filter((line) => line !== '')).toEqual([
    'npm run demo',
    'npm test',
    'npm start',
  ]);
  expect(head).toContain('(docs/promises.md)');
});

test('no promise stands without its limit, and the README makes the same promises', () => {
  const rows = tableRows(textOf('docs/promises.md'), 'promise');
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row.filter((cell) => cell !== '')).toHaveLength(2);
  const promises = [...head.matchAll(/^- (\*\*.*)$/gm)].map(([, promise]) => promise);
  expect(promises).toEqual(rows.map(([promise]) => promise));
});

test('it leads to every other document', () => {
  const others = documents().filter((path) => path !== 'README.md' && !path.startsWith('docs/decisions/'));
  for (const path of others) expect(readme).toContain(`](${path}`);
});
