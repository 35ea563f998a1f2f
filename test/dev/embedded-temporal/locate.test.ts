import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { configVariables } from '../../../src/config.js';
import { TemporalUnavailableError, locateTemporal } from '../../../src/dev/embedded-temporal/locate.js';

let dir: string;
let env: Record<string, string>;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'embedded-program-'));
  env = {
    PATH: join(dir, 'bin'),
    XDG_CACHE_HOME: join(dir, 'cache'),
    // Nothing listens there: the SDK's own download fails at once, online too.
    HTTPS_PROXY: 'http://127.0.0.1:1',
  };
});

afterEach(() => rm(dir, { recursive: true }));

async function program(path: string, script: string): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const fake = (path: string) => program(join(dir, path), 'echo "temporal version 1.2.3"');
const locate = () => locateTemporal(env, () => undefined);

test('the `temporal` on the PATH comes first', async () => {
  const onPath = await fake('bin/temporal');
  await fake('cache/durable-payments/temporal');
  expect(await locate()).toBe(onPath);
});

test('without one on the PATH, that of an earlier run is taken', async () => {
  const cached = await fake('cache/durable-payments/temporal');
  expect(await locate()).toBe(cached);
});

test('another program of that name is passed over', async () => {
  await program(join(dir, 'bin/temporal'), 'echo "a calendar"');
  const cached = await fake('cache/durable-payments/temporal');
  expect(await locate()).toBe(cached);
});

test('when it can’t be downloaded it is built with Go once, and each step is reported', async () => {
  await program(
    join(dir, 'bin/go'),
    `printf '%s ' "$@" >>"${dir}/calls"
     echo 'go: downloading something' >&2
     printf '#!/bin/sh\\necho "temporal version built"\\n' >"$GOBIN/temporal"
     /bin/chmod 755 "$GOBIN/temporal"`,
  );
  const reported: string[] = [];
  const built = await locateTemporal(env, (message) => reported.push(message));

  expect(built).toBe(join(dir, 'cache/durable-payments/temporal'));
  expect(reported.join('\n')).toContain('several minutes with Go: go: downloading something');
  expect(await locate()).toBe(built);
  expect(await readFile(join(dir, 'calls'), 'utf8')).toBe(
    'install -v github.com/temporalio/cli/cmd/temporal@v1.5.1 ',
  );
});

test('neither the program that is asked for its version nor the one that builds it is given a secret', async () => {
  const secret = 'the-secret-of-everything';
  for (const { name } of configVariables.filter((variable) => variable.secret)) env[name] = secret;
  // What else may hold one: of Temporal itself, of traces, of a cloud, of a registry.
  for (const name of [
    'TEMPORAL_TLS_CLIENT_KEY_DATA',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'NPM_TOKEN',
    'GOOGLE_KEY',
  ])
    env[name] = secret;
  for (const name of ['temporal', 'go'])
    await program(join(dir, 'bin', name), `export >"${dir}/seen-by-${name}"`);
  await expect(locate()).rejects.toThrow(TemporalUnavailableError);
  for (const name of ['temporal', 'go']) {
    const seen = await readFile(join(dir, `seen-by-${name}`), 'utf8');
    expect(seen).toContain('HTTPS_PROXY');
    expect(seen).not.toContain(secret);
  }
});

test('a build that breaks off leaves nothing that a later run would take', async () => {
  await program(join(dir, 'bin/go'), 'echo half >"$GOBIN/temporal"; echo "no space left" >&2; exit 1');
  await expect(locate()).rejects.toThrow(/no space left/);
  await expect(locate()).rejects.toThrow(/cached by an earlier run \(.*\): there is none/);
});

test('when no way works, one error lists all that was tried and what to do', async () => {
  const error: unknown = await locate().catch((reason: unknown) => reason);
  if (!(error instanceof TemporalUnavailableError)) throw error;
  expect(error.message.split('\n')).toHaveLength(6);
  for (const way of [
    ...[/- `temporal` on the PATH: there is none/, /- cached by an earlier run .*: there is none/],
    ...[/- the Temporal SDK's own download: .+/, /- building it with Go: .*ENOENT/, /TEMPORAL_ADDRESS/],
  ]) {
    expect(error.message).toMatch(way);
  }
});
