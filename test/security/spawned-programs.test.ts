import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { npmEnvironment } from '../../scripts/npm-environment.mjs';
import { environmentOfPager, environmentToRun } from '../../src/dev/embedded-temporal/environment-of.js';

const source = join(import.meta.dirname, '../../src');
const call =
  /\b(?:spawn|spawnSync|exec|execSync|execFile|execFileSync|fork)\)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g;

/** The programs that a file starts, each by the environment that it is given. */
function startedBy(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8');
  if (!/['"](?:node:)?child_process['"]/.test(text)) return [];
  const calls = text.match(call) ?? ['a call that was not found'];
  return calls.map(
    (each) => `${file}: ${/\benv: (.+?)(?:,?\n| \}\))/.exec(each)?.[1] ?? 'the whole environment'}`,
  );
}

test('every program that is started gets an environment that is named, and none of all secrets', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  expect(
    files
      .filter((file) => /\.[cm]?[jt]s$/.test(file))
      .flatMap(startedBy)
      .sort(),
  ).toEqual([
    'cli/shared/output.ts: environmentOfPager(env)',
    'dev/embedded-temporal/class-archive.ts: { ...environmentOfTool(env), JAVA_TOOL_OPTIONS: option }',
    'dev/embedded-temporal/run-tool.ts: environmentOfTool(options.env)',
    // Its callers give it what `environmentToRun` names.
    'dev/embedded-temporal/supervised-process.ts: { ...env }',
    'dev/embedded-temporal/take-over.ts: environmentToRun(processEnvironment())',
  ]);
});

test('Temporal’s server gets what any program needs to run, and no secret', () => {
  const own = { PATH: '/bin', HOME: '/home/me', TMPDIR: '/tmp', LANG: 'C' };
  const others = {
    API_KEYS: 'a:b',
    PAYMENTS_CLIENT_SECRET: 'c',
    TEMPORAL_API_KEY: 'd',
    HTTPS_PROXY: 'e:f@g',
  };
  expect(environmentToRun({ ...own, ...others })).toEqual(own);
});

test('a pager gets its terminal, its language and its settings, and no secret', () => {
  const own = { PATH: '/bin', TERM: 'xterm', LESS: '-R', LESSCHARSET: 'utf-8', LC_ALL: 'C', LANG: 'C' };
  const secrets = { API_KEYS: 'a:b', PAYMENTS_CLIENT_SECRET: 'c', AWS_SECRET_ACCESS_KEY: 'd', PAGER: 'less' };
  expect(environmentOfPager({ ...own, ...secrets })).toEqual(own);
});

test('npm, which installs before anything runs, gets what it needs, runs no scripts of others, and gets no secret', () => {
  const own = { PATH: '/bin', HOME: '/home/me', HTTPS_PROXY: 'p', npm_config_registry: 'r', NPM_TOKEN: 't' };
  const secrets = { API_KEYS: 'a:b', PAYMENTS_CLIENT_SECRET: 'c', PAYLOAD_KEYS: 'd', POSTBACK_KEYS: 'e' };
  const others = {
    TEMPORAL_API_KEY: 'f',
    NOTIFY_SECRETS: 'g',
    AWS_SECRET_ACCESS_KEY: 'h',
    NODE_OPTIONS: '--import x',
  };
  expect(npmEnvironment({ ...own, ...secrets, ...others })).toEqual(own);
  const root = join(import.meta.dirname, '../..');
  for (const file of ['scripts/setup.mjs', 'Dockerfile', '.ci/run'])
    expect(readFileSync(join(root, file), 'utf8')).toMatch(/(npm |')ci'?,? '?--ignore-scripts/);
});
