import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { onServer, whereThereIs } from '../support/tools.js';

afterEach(() => void vi.unstubAllEnvs());

describe('a test for which something of the machine is lacking', () => {
  test.for([undefined, ''])('is skipped where NO_TEST_SKIPPED is %j', (value) => {
    vi.stubEnv('NO_TEST_SKIPPED', value);
    expect(whereThereIs('promtool', false)).toBe(false);
    expect(whereThereIs('promtool', true)).toBe(true);
  });

  test('fails where NO_TEST_SKIPPED is set, and names what is lacking', () => {
    vi.stubEnv('NO_TEST_SKIPPED', 'true');
    expect(() => whereThereIs('promtool', false)).toThrow('There is no promtool here');
    expect(whereThereIs('promtool', true)).toBe(true);
  });

  test('fails in .ci/run, which installs everything before', () => {
    const [before, after] = readFileSync('.ci/run', 'utf8').split('export NO_TEST_SKIPPED=true\n');
    for (const tool of ['maven', 'python3-venv', 'prometheus', 'chromium'])
      expect(before).toContain(`apt_install ${tool}`);
    expect(after).toContain('export PYTHON=');
    expect(after).toMatch(/\nnpm test\n$/);
  });
});

test('what one server alone can do is tested on that server, and nowhere else', () => {
  vi.stubEnv('NO_TEST_SKIPPED', 'true');
  expect(onServer('newest', 'embedded')).toBe(false);
  expect(onServer('newest', 'newest')).toBe(true);
  expect(onServer('embedded', 'newest')).toBe(false);
});

test('no test is skipped in another way, and because of its server or kernel few in `npm test`', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.test.ts'),
  );
  const conditions = files.flatMap((name) => {
    const text = readFileSync(join('test', name), 'utf8');
    const calls = text.matchAll(/\b(?:test|it|describe|suite|ctx|context)\.(?:skip|skipIf|runIf|todo)\(.*/g);
    return [...calls].map(([call]) => ({ name, call }));
  });
  const isDecidedHere = /\.runIf\((?:whereThereIs|onServer|onKernel|inFull)\(/;
  expect(conditions.filter(({ call }) => !isDecidedHere.test(call))).toEqual([]);
  const filesWith = (condition: string) => [
    ...new Set(conditions.filter(({ call }) => call.includes(condition)).map(({ name }) => name)),
  ];
  expect(filesWith("onServer('newest'")).toEqual(['operators/runs.server.test.ts']);
  // Whether a core dump is left, and what is left out of it, is the kernel's.
  expect(filesWith('onKernel(').toSorted()).toEqual([
    'security/attacks/neighbours.process.test.ts',
    'security/core-dumps.process.test.ts',
  ]);
});
