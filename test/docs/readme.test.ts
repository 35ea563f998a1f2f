import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { scenes } from '../../src/dev/demo/scenes.js';
import { configVariables } from '../../src/config.js';
import { retryTable } from '../../src/domain/retry-table.js';
import { codeBlocks, root, section, tableRows, textOf } from './markdown.js';

const readme = textOf('README.md');

test('it is short enough to be read', () => {
  expect(readme.split('\n').length).toBeLessThanOrEqual(300);
});

test('the output of the demo names scenes that the demo has', () => {
  const titles = codeBlocks('README.md', 'text').flatMap(({ code }) =>
    [...code.matchAll(/^\d+\/\d+ (.*)$/gm)].map(([, title]) => title),
  );
  expect(titles.length).toBeGreaterThan(0);
  expect(scenes.map(({ title }) => title)).toEqual(expect.arrayContaining(titles));
});

test('the table of variables is the one of the configuration', () => {
  const rows = configVariables.map(
    ({ name, meaning, default: value, secret, roles }) =>
      `| \`${name}\` | ${meaning}${secret ? ' (secret)' : ''} | ${value === null ? '' : `\`${value}\``} | ${roles.join(', ')} |`,
  );
  // Compared as text, so that the table to write stands in the failure.
  expect(tableRows(readme, 'variable').map((cells) => `| ${cells.join(' | ')} |`)).toEqual(rows);
});

test('the table of endpoints has each endpoint of the service', () => {
  const endpoints = tableRows(readme, 'endpoint of the service').map(([endpoint]) => endpoint);
  expect(endpoints.sort()).toEqual(
    Object.keys(retryTable)
      .map((endpoint) => `\`${endpoint}\``)
      .sort(),
  );
});

test('each row of that table is true: activity, workflow and tests are there, and belong together', () => {
  const code = workflowCode();
  const exported = readFileSync(join(root, 'workflows/index.ts'), 'utf8');
  for (const [, activity = '', workflow = '', tests = ''] of tableRows(readme, 'endpoint of the service')) {
    const activities = linksIn(activity);
    expect(activities.length).toBeGreaterThan(0);
    const workflows = [...workflow.matchAll(/\[(\w+)\]/g)].map(([, name = '']) => name);
    for (const file of activities) {
      const name = camelCase(file.replace(/^activities\/|\.ts$/g, ''));
      const called = new RegExp(`\\b${name}\\b`).test(code);
      expect(called, `its row must name the workflows that call ${name}, if any do`).toBe(
        workflows.length > 0,
      );
    }
    for (const name of workflows) expect(exported).toMatch(new RegExp(`\\b${name}\\b`));
    expect(linksIn(tests).length).toBeGreaterThan(0);
    for (const file of [...activities, ...linksIn(workflow), ...linksIn(tests)])
      expect(existsSync(join(root, file)), file).toBe(true);
  }
});

test('no promise stands without its limit', () => {
  const [head = ''] = readme.split(/^## /m);
  for (const row of tableRows(head, 'promise')) expect(row.filter((cell) => cell !== '')).toHaveLength(2);
});

test('each reader finds a way on from the first screen', () => {
  const [head = ''] = readme.split(/^## /m);
  for (const heading of ['Start payments from an OMS', 'Act as an operator', 'Deploy it']) {
    expect(head).toContain(`(#${heading.toLowerCase().replaceAll(' ', '-')})`);
    expect(section(readme, heading)).not.toBe('');
  }
});

function linksIn(cell: string): string[] {
  return [...cell.matchAll(/\]\(([^)]+)\)/g)].map(([, file = '']) => file);
}

function workflowCode(): string {
  return readdirSync(join(root, 'workflows'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

function camelCase(kebab: string): string {
  return kebab.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
