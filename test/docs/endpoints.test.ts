import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { retryTable } from '../../src/domain/retry-table.js';
import { serviceOrderStatuses, servicePayoutStatuses } from '../../src/domain/statuses.js';
import { root, section, tableRows, textOf } from './markdown.js';

const map = textOf('docs/interface-map.md');
const endpointRows = tableRows(map, 'endpoint of the service');
const service = textOf('docs/payments-service.md');

/** The headings of a page that name endpoints. */
const endpointsIn = (page: string) =>
  [...page.matchAll(/^### ((?:GET|POST|PUT) .*)$/gm)].map(([, endpoint = '']) => endpoint).sort();

test('the table of endpoints has each endpoint of the service', () => {
  expect(endpointRows.map(([endpoint]) => endpoint).sort()).toEqual(
    Object.keys(retryTable)
      .map((endpoint) => `\`${endpoint}\``)
      .sort(),
  );
});

test('each row of that table is true: activity, workflow and tests are there, and belong together', () => {
  const code = workflowCode();
  const exported = readFileSync(join(root, 'workflows/index.ts'), 'utf8');
  for (const [, activity = '', workflow = '', tests = ''] of endpointRows) {
    const activities = linksIn(activity);
    expect(activities.length).toBeGreaterThan(0);
    const workflows = [...workflow.matchAll(/\[(\w+)\]/g)].map(([, name = '']) => name);
    for (const file of activities) {
      const name = camelCase(basename(file, '.ts'));
      const called = new RegExp(`\\b${name}\\b`).test(code);
      expect(called, `its row must name the workflows that call ${name}, if any do`).toBe(
        workflows.length > 0,
      );
    }
    for (const name of workflows) expect(exported).toMatch(new RegExp(`\\b${name}\\b`));
    expect(linksIn(tests).length).toBeGreaterThan(0);
    for (const file of [...activities, ...linksIn(workflow), ...linksIn(tests)])
      expect(existsSync(join(root, 'docs', file)), file).toBe(true);
  }
});

test('the map and the page on the service have a section for each endpoint, and for no other', () => {
  expect(endpointsIn(map)).toEqual(Object.keys(retryTable).sort());
  expect(endpointsIn(service)).toEqual(Object.keys(retryTable).sort());
});

test.each(Object.entries(retryTable))('the map gives %s the rule %s', (endpoint, rule) => {
  const text = section(map, endpoint.replaceAll(/[{}]/g, String.raw`\$&`));
  expect(text).toContain(`- Retry rule: \`${rule}\`.`);
  for (const part of ['Known', 'Assumed', 'Treated', 'Code']) expect(text).toContain(`- ${part}: `);
});

test('the map and the page on the service name each status that is documented', () => {
  const [orders, payouts] = [section(service, 'Order states'), section(service, 'Payout states')];
  for (const status of serviceOrderStatuses) {
    expect(orders).toContain(`\`${status}\``);
    expect(map).toContain(`| orders | \`${status}\` |`);
  }
  for (const status of servicePayoutStatuses) {
    expect(payouts).toContain(`\`${status}\``);
    expect(map).toContain(`| payouts | \`${status}\` |`);
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
