import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { importsOf, parsed, sourceFiles } from './support/imports.js';
import type { Import } from './support/imports.js';

type Rule = {
  /** Parts of ours that it may use at run time; itself is understood. */
  readonly parts: readonly string[];
  /** Parts of which it may take types as well. */
  readonly types?: readonly string[];
  /** Packages, `node:*` for all of Node; none where any will do. */
  readonly packages?: readonly string[];
};

/** Design §3, "Who may import whom". A part is a folder of src, or workflows, or activities. */
const rules: Readonly<Record<string, Rule>> = {
  domain: { parts: [], packages: [] },
  contract: { parts: ['domain'], packages: ['zod', 'node:crypto', '@brazilian-utils/brazilian-utils'] },
  'payments-service': { parts: ['domain'], packages: ['zod', 'undici', 'node:*'] },
  notifications: { parts: ['contract', 'domain'], packages: ['undici', 'standardwebhooks', 'node:*'] },
  'card-desk': { parts: [], packages: ['node:*'] },
  activities: {
    parts: ['payments-service', 'card-desk', 'contract', 'domain'],
    types: ['notifications'],
    packages: ['@temporalio/activity', 'zod', 'node:*'],
  },
  workflows: { parts: ['domain'], types: ['contract', 'activities'], packages: ['@temporalio/workflow'] },
  temporal: { parts: ['contract', 'domain', 'payments-service'] },
  client: {
    parts: ['contract', 'domain', 'temporal'],
    types: ['workflows'],
    packages: [
      '@streamparser/json',
      '@temporalio/client',
      '@temporalio/common',
      'csv-parse',
      'zod',
      'node:*',
    ],
  },
  gateway: { parts: ['client', 'contract', 'domain', 'temporal'], types: ['workflows'] },
  sandbox: { parts: [], packages: ['fastify', 'undici', 'zod', 'node:*'] },
  config: { parts: ['temporal', 'domain'], packages: ['zod', 'node:*'] },
  cli: {
    parts: ['client', 'config', 'contract', 'domain', 'processes', 'temporal'],
    types: ['workflows'],
  },
  processes: {
    parts: [
      'activities',
      'card-desk',
      'client',
      'config',
      'contract',
      'domain',
      'gateway',
      'payments-service',
    ].concat(['notifications', 'sandbox', 'temporal']),
  },
};

const files = sourceFiles('src', 'workflows', 'activities');
const imports = files.flatMap(importsOf);

describe.each(Object.entries(rules))('%s', (part, rule) => {
  test('imports what it may, and nothing else', () => {
    const own = imports.filter(({ file }) => partOf(file) === part);
    expect(own.length).toBeGreaterThan(0);
    expect(own.filter((each) => !isAllowed(each, part, rule)).map(told)).toEqual([]);
  });
});

test('every source file belongs to a part that has a rule', () => {
  expect(files.filter((file) => !Object.hasOwn(rules, partOf(file) ?? ''))).toEqual([]);
});

test('the client of TypeScript callers brings along neither the payments service nor a worker', () => {
  const reached = reachableFrom('src/client.ts');
  expect(
    [...reached].filter((of) => /^src\/(payments-service|sandbox|gateway|processes)\//.test(of)),
  ).toEqual([]);
  expect([...reached].filter((of) => of === '@temporalio/worker' || of === 'undici')).toEqual([]);
});

test('the environment is read in src/config.ts alone', () => {
  const readers = files.filter((file) => file !== 'src/config.ts' && readsEnvironment(parsed(file)));
  expect(readers).toEqual([]);
  expect(readsEnvironment(parsed('src/config.ts'))).toBe(true);
});

function isAllowed({ of, typesOnly }: Import, part: string, { parts, types = [], packages }: Rule): boolean {
  const to = partOf(of);
  if (to !== undefined) return to === part || parts.includes(to) || (typesOnly && types.includes(to));
  if (packages === undefined) return true;
  return packages.includes(of) || (of.startsWith('node:') && packages.includes('node:*'));
}

/** The part that a file of ours belongs to; undefined for packages. */
function partOf(path: string): string | undefined {
  const [, inSource, beside] = /^(?:src\/([\w-]+)|(workflows|activities)\/)/.exec(path) ?? [];
  return inSource ?? beside;
}

function reachableFrom(start: string): Set<string> {
  const reached = new Set([start]);
  for (const file of reached) {
    for (const { of, typesOnly } of imports.filter((each) => each.file === file)) {
      if (!typesOnly) reached.add(of);
    }
  }
  return reached;
}

function readsEnvironment(node: ts.Node): boolean {
  const reads =
    (ts.isPropertyAccessExpression(node) &&
      node.name.text === 'env' &&
      node.expression.getText() === 'process') ||
    (ts.isElementAccessExpression(node) && node.expression.getText() === 'process') ||
    (ts.isImportSpecifier(node) && (node.propertyName ?? node.name).text === 'env');
  return reads || (ts.forEachChild(node, (child) => readsEnvironment(child) || undefined) ?? false);
}

function told({ file, of, typesOnly }: Import): string {
  return `${file} imports ${typesOnly ? 'types of ' : ''}${of}`;
}
