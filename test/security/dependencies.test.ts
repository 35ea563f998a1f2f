import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { root } from '../docs/markdown.js';

const allowed = [
  ...['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'BlueOak-1.0.0', 'Unlicense'],
  ...['Apache-2.0 AND MIT', 'CC-BY-4.0'],
];
/** What states its licence in its LICENSE file alone. */
const inTheirFiles: Readonly<Record<string, string>> = { unionfs: 'Unlicense' };

const entry = z.object({
  version: z.string().optional(),
  resolved: z.string().optional(),
  integrity: z.string().optional(),
  license: z.string().optional(),
  dev: z.boolean().default(false),
  devOptional: z.boolean().default(false),
});
const lock = z
  .object({ packages: z.record(z.string(), entry) })
  .parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');

test('every dependency of production has a licence from the list, and the list has no other', () => {
  const production = packages.filter(([, { dev, devOptional }]) => !dev && !devOptional);
  const licences = production.map(([path, { license }]) => license ?? inTheirFiles[nameOf(path)] ?? 'none');
  const others = production.filter((_, index) => !allowed.includes(licences[index] ?? ''));
  expect(others.map(([path]) => path)).toEqual([]);
  expect(allowed.filter((licence) => !licences.includes(licence))).toEqual([]);
});

test('a licence that a package has in its file alone is the one that stands here', () => {
  const require = createRequire(import.meta.url);
  for (const name of Object.keys(inTheirFiles)) {
    const file = join(require.resolve(`${name}/package.json`), '..', 'LICENSE');
    expect(readFileSync(file, 'utf8')).toContain(
      'free and unencumbered software released into the public domain',
    );
  }
});

test('every dependency is locked to its content', () => {
  expect(packages.length).toBeGreaterThan(100);
  expect(packages.filter(([, { integrity }]) => integrity === undefined).map(([path]) => path)).toEqual([]);
});

test('each test of security is named in the document on it', () => {
  const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
  const ours = ['test/security', 'test/security/attacks'].flatMap((dir) =>
    readdirSync(join(root, dir)).flatMap((name) => (name.endsWith('.test.ts') ? [`${dir}/${name}`] : [])),
  );
  expect(ours.length).toBeGreaterThan(12);
  for (const path of ours) expect(text).toContain(`\`${path}\``);
});
