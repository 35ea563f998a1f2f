import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readGeneratedKeys } from '../../../src/config.js';
import { cacheDir } from '../../../src/dev/embedded-temporal/cache-dir.js';
import { pixPayout, secrets } from '../../processes/support/oms.js';
import type { Program } from '../../processes/support/program.js';
import { createHome } from '../../processes/support/started.js';
import type { Home } from '../../processes/support/started.js';
import { onKernel } from '../../support/tools.js';
import { commandLines, listening, send } from '../support/machine.js';

// Another user of the machine sees every address that somebody listens on and every command line; files are their
// owner's alone. `npm start` runs beside the sandbox only, whose money is not real: a start by gRPC is not refused.

const payout = '/namespaces/default/workflows/payout-private';
let home: Home;
let program: Program;
beforeAll(async () => {
  home = await createHome();
  program = await home.start();
  await home.oms(program).post('/v1/payouts/pix', pixPayout('private'));
  await home.oms(program).until('/v1/payouts/private', 'done');
});
afterAll(async () => {
  await program.end('SIGTERM');
  await home.remove();
});

const everyAddress = async () => listening(program.pid, await home.temporalPid());
const secretsOf = (output: string) => [
  /web-ui-token=([\w-]+)/.exec(output)?.[1] ?? 'no token was printed',
  ...(readGeneratedKeys(home.env.DATA_DIR ?? '')?.apiKeys ?? []).map(({ key }) => key),
];

describe('another user of the machine', () => {
  test('reads no payment by any address that the program listens on', async () => {
    const [token = ''] = secretsOf(program.output());
    const addresses = await everyAddress();
    expect(addresses.length).toBeGreaterThan(5);
    const paths = [
      ...['/', '/api/v1/settings', payout, `/api/v1${payout}/history`, '/codec/decode', '/codec-/decode'],
      ...['/v1/payouts/private', '/v1/payouts', '/metrics', `/?web-ui-token=${'a'.repeat(32)}`],
    ];
    for (const address of addresses) {
      for (const path of paths) {
        for (const method of ['GET', 'POST']) {
          const { body } = await send(address, path, { method, headers: { cookie: 'payments-web-ui=1' } });
          for (const secret of [token, secrets.pix, secrets.document, secrets.name])
            expect(body, `${method} ${address.host}:${String(address.port)}${path}`).not.toContain(secret);
        }
      }
    }
  });

  test('starts and retries no payment by any address, and no money moves', async () => {
    const started = '/namespaces/default/workflows/payout-stolen';
    const paths = [`/api/v1${started}`, `/api${started}`, started, '/v1/payouts/pix', '/v1/payout/pix'];
    const start = {
      ...{ workflowType: { name: 'payout' }, taskQueue: { name: 'payments' }, requestId: 'r' },
      input: [{ ...pixPayout('stolen'), method: 'pix' }],
    };
    const headers = { 'content-type': 'application/json', cookie: 'payments-web-ui=1' };
    for (const address of await everyAddress()) {
      for (const path of [...paths, '/v1/payouts/private/retry']) {
        const body = JSON.stringify(path.includes('namespaces') ? start : pixPayout('stolen'));
        const { status } = await send(address, path, { method: 'POST', headers, body });
        expect(status < 200 || status >= 300, `${address.host}:${String(address.port)}${path}`).toBe(true);
      }
    }
    const ledger = await home.sandbox('GET', '/sandbox/ledger');
    expect(ledger).toMatchObject({ payouts: [{ partner_code: 'private', status: 'done' }] });
    expect(JSON.stringify(ledger)).not.toContain('stolen');
  });

  test('gets ciphertext from Temporal, and nobody who decodes it', async () => {
    const own = (await everyAddress()).find(({ host }) => host !== '127.0.0.1');
    if (own === undefined) throw new Error('Temporal’s own Web UI is not where it was expected.');
    const { body } = await send(own, `/api/v1${payout}/history`);
    const payloads = /\{"metadata":\{"encoding":"[^}]*\},"data":"[^"]*"\}/.exec(
      body.replaceAll(/\s/g, ''),
    )?.[0];
    expect(payloads).toBeDefined();
    const decoding = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"payloads":[${payloads ?? ''}]}`,
    };
    for (const address of await everyAddress()) {
      for (const path of ['/codec/decode', '/decode', '/v1/codec/decode'])
        expect((await send(address, path, decoding)).body).not.toContain('"data"');
    }
  });

  test('sees no secret in any command line', async () => {
    const lines = await commandLines();
    expect(lines.some((line) => line.includes('start-dev'))).toBe(true);
    for (const line of lines)
      for (const secret of secretsOf(program.output())) expect(line.includes(secret)).toBe(false);
  });

  test('looks into no directory and no file of payments', async () => {
    const { DATA_DIR = '' } = home.env;
    expect((await stat(DATA_DIR)).mode & 0o777).toBe(0o700);
    for (const name of ['keys.env', 'shop.header', 'codec-endpoint', 'sandbox.json'])
      expect((await stat(join(DATA_DIR, name))).mode & 0o777, name).toBe(0o600);
  });

  test('can put no program where Temporal’s is looked for', () => {
    expect(cacheDir({ XDG_CACHE_HOME: '/home/me/cache' })).toBe('/home/me/cache/durable-payments');
    vi.stubEnv('HOME', '/home/me');
    onTestFinished(() => void vi.unstubAllEnvs());
    for (const env of [
      {},
      { HOME: '' },
      { HOME: '/' },
      { XDG_CACHE_HOME: 'relative' },
      { XDG_CACHE_HOME: '' },
    ])
      expect(cacheDir(env)).toBe('/home/me/.cache/durable-payments');
    // A user without a home, as services have: nothing is guessed in its place.
    vi.stubEnv('HOME', '/');
    expect(() => cacheDir({})).toThrow('Set XDG_CACHE_HOME');
  });
});

test.runIf(onKernel(existsSync('/proc/self/coredump_filter')))(
  'the program leaves its memory out of core dumps',
  async () => {
    const filter = await readFile(`/proc/${String(program.pid)}/coredump_filter`, 'utf8');
    expect(parseInt(filter, 16)).toBe(0);
  },
);

test('Temporal gets the environment that it needs, and no secret of the program', async () => {
  const environment = await readFile(`/proc/${String(await home.temporalPid())}/environ`, 'utf8');
  const names = environment.split('\0').flatMap((entry) => entry.split('=')[0] ?? []);
  expect(names).toContain('PATH');
  const known = ['PATH', 'HOME', 'TMPDIR', 'TZ', 'LANG', 'LC_ALL', 'PWD', '_', 'SHLVL', 'OLDPWD', 'GOGC', ''];
  expect(names.filter((name) => !known.includes(name))).toEqual([]);
});

test('whoever has the printed link reads payments in the Web UI, and by it alone', async () => {
  const link = new URL(/Temporal Web UI +(\S+)/.exec(program.output())?.[1] ?? '');
  const ui = { host: link.hostname, port: Number(link.port) };
  const settings = (headers: Record<string, string>) => send(ui, '/api/v1/settings', { headers });
  const cookie = `payments-web-ui-${link.port}=${link.searchParams.get('web-ui-token') ?? ''}`;
  expect((await settings({ host: link.host })).status).toBe(403);
  expect((await settings({ host: link.host, cookie: `${cookie}x` })).status).toBe(403);
  expect((await settings({ host: link.host, cookie })).body).toContain(`"${link.origin}/codec"`);
  // A page whose name was made to lead here, or another one on this machine, may have got hold of the cookie.
  expect((await settings({ host: `evil.example:${link.port}`, cookie })).status).toBe(403);
  expect((await settings({ host: link.host, origin: 'http://127.0.0.1:1', cookie })).status).toBe(403);
  expect((await send(ui, link.pathname + link.search, { headers: { host: link.host } })).status).toBe(200);
});
