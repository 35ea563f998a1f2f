import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { root } from '../docs/markdown.js';

const textOf = (path: string) => readFileSync(join(root, path), 'utf8');

const entry = z.object({
  version: z.string().default(''),
  dev: z.boolean().default(false),
  devOptional: z.boolean().default(false),
  engines: z.object({ node: z.string().optional() }).catch({}),
});
const lock = z
  .object({ packages: z.record(z.string(), entry) })
  .parse(JSON.parse(textOf('package-lock.json')));
const production = Object.entries(lock.packages).filter(
  ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional,
);

describe('the audit of dependencies', () => {
  const known = (high: number) => JSON.stringify({ metadata: { vulnerabilities: { high } } });
  const unreachable = '{"error":{"code":"E404"}}';
  const later = '9999-12-31';

  /** The exit code of `.ci/audit` with an npm that answers and ends so. */
  function audit(answer: string, code: number, allowance: string | null): number | null {
    const dir = mkdtempSync(join(tmpdir(), 'audit-'));
    onTestFinished(() => rmSync(dir, { recursive: true }));
    mkdirSync(join(dir, '.ci'));
    cpSync(join(root, '.ci/audit'), join(dir, '.ci/audit'));
    if (allowance !== null) writeFileSync(join(dir, '.ci/audit-allowance'), `${allowance}\nfor a reason\n`);
    const npm = join(dir, 'npm');
    writeFileSync(npm, `#!/bin/sh\necho '${answer}'\nexit ${String(code)}\n`);
    chmodSync(npm, 0o755);
    const PATH = `${dir}:${process.env.PATH ?? ''}`;
    return spawnSync(join(dir, '.ci/audit'), { env: { PATH } }).status;
  }

  test('passes when nothing grave is known, and fails when something is', () => {
    expect(audit(known(0), 0, null)).toBe(0);
    expect(audit(known(1), 1, null)).toBe(1);
    expect(audit(known(1), 1, later)).toBe(1);
  });

  test('fails however long the list of what is known is', () => {
    const report = JSON.stringify({ ...JSON.parse(known(1)), vulnerabilities: 'x'.repeat(200_000) });
    expect(audit(report, 1, later)).toBe(1);
  });

  test.for([unreachable, '', 'no JSON', '{}'])(
    'fails when it is answered %j, for then nothing is known',
    (answer) => {
      for (const code of [0, 1]) expect(audit(answer, code, null)).toBe(1);
    },
  );

  test('lets that through until a date, which has to be one and not to have passed', () => {
    expect(audit(unreachable, 1, later)).toBe(0);
    for (const no of ['2020-01-01', '', 'whenever', '9999-02-30', '9999-99-99', '9999-12-31 or later'])
      expect(audit(unreachable, 1, no), no).toBe(1);
  });

  test('is a step of the CI', () => {
    expect(textOf('.ci/run')).toMatch(/^step 'Known vulnerabilities'\n\.ci\/audit\n\n/m);
  });
});

describe('the Node that the image has', () => {
  const [, major = ''] = /^ARG NODE_IMAGE=node:(\d+)\./m.exec(textOf('Dockerfile')) ?? [];

  test('is one with long-term support, the one that this is developed on, and tests run on it', () => {
    expect(Number(major)).toBeGreaterThanOrEqual(24);
    expect(textOf('.nvmrc').trim()).toBe(major);
    expect(textOf('.ci/run')).toContain(`other=${major}\n`);
  });

  test('and the oldest one that users may have are what every dependency claims to run on', () => {
    for (const version of [[20, 20, 0] as const, [Number(major), 0, 0] as const])
      expect(production.filter(([, { engines }]) => !admits(engines.node ?? '*', version))).toEqual([]);
    // npm refuses one that does not.
    expect(textOf('.npmrc')).toMatch(/^engine-strict=true$/m);
  });
});

test('the Temporal of `npm start` is of one version, downloaded or built', () => {
  const folder = 'src/dev/embedded-temporal';
  const [, built] = /temporal@(v\d+\.\d+\.\d+)'/.exec(textOf(`${folder}/build-with-go.ts`)) ?? [];
  expect(built).toBeDefined();
  expect(textOf(`${folder}/sdk-download.cjs`)).toContain(`{ version: '${built ?? ''}' }`);
});

test('the range of versions that a dependency claims is understood', () => {
  for (const range of ['>=20', '>= 18 || 22', '^20.19.0 || >=22.12.0', '20 || 24', '6.* || >= 10.*'])
    expect(admits(range, [20, 20, 0])).toBe(true);
  for (const range of ['>=22', '^18', '18 || >=20.21', '>=20.20.1', '>=20 <20.5', '22.x', 'latest'])
    expect(admits(range, [20, 20, 0])).toBe(false);
});

describe('the list of all that the image is made of', () => {
  test('names everything of production in its version, with its hash, and nothing else', () => {
    const { stdout } = spawnSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8' });
    const component = z.object({
      name: z.string(),
      version: z.string(),
      hashes: z.array(z.unknown()).min(1),
    });
    const { bomFormat, components } = z
      .object({ bomFormat: z.literal('CycloneDX'), components: z.array(component) })
      .parse(JSON.parse(stdout));
    expect(bomFormat).toBe('CycloneDX');
    const listed = components.map(({ name, version }) => `${name}@${version}`);
    expect(listed.length).toBeGreaterThan(100);
    const locked = production.map(
      ([path, { version }]) => `${String(path.split('node_modules/').at(-1))}@${version}`,
    );
    expect(new Set(listed)).toEqual(new Set(locked));
  });

  test('is made when the image is built, and is in it', () => {
    const dockerfile = textOf('Dockerfile');
    expect(dockerfile).toContain('&& npm run --silent sbom > sbom.cdx.json ');
    expect(dockerfile).toMatch(/^COPY --from=build .*\/app\/sbom\.cdx\.json/m);
  });
});

type Version = readonly [number, number, number];

/** As much of npm's ranges as dependencies use: alternatives of `>=`, `<`, `^`, and versions with parts left open. */
function admits(range: string, version: Version): boolean {
  return range.split('||').some((alternative) =>
    alternative
      .trim()
      .replaceAll(/([<>=^]) +/g, '$1')
      .split(/\s+/)
      .every((comparator) => meets(comparator, version)),
  );
}

function meets(comparator: string, version: Version): boolean {
  if (comparator === '*') return true;
  const [, how = '', text = ''] = /^(>=|<|\^|)(\d+(?:\.(?:\d+|x|\*))*)$/.exec(comparator) ?? [];
  if (text === '') return false;
  const parts = text
    .split('.')
    .filter((part) => /^\d+$/.test(part))
    .map(Number);
  const difference = parts.map((part, index) => (version[index] ?? 0) - part).find((each) => each !== 0) ?? 0;
  if (how === '<') return difference < 0;
  if (how === '>=') return difference >= 0;
  if (how === '^') return difference >= 0 && version[0] === parts[0];
  return difference === 0;
}
