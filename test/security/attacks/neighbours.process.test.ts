import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readGeneratedKeys } from '../../../src/config.js';
import { cacheDir } from '../../../src/dev/embedded-temporal/cache-dir.js';
import { pixPayout, secrets } from '../../processes/support/oms.js';
import type { Program } from '../../processes/support/program.js';
import { createHome } from '../../processes/support/started.js';
import type { Home } from '../../processes/support/started.js';
import { onKernel, whereThereIs } from '../../support/tools.js';
import { hasBrowser, startBrowser } from '../support/browser.js';
import { commandLines, listening, send } from '../support/machine.js';
import type { Listening } from '../support/machine.js';

// A page in the browser of an operator reaches whatever listens on this machine. Another user of it sees each address that
// somebody listens on and every command line, too; files are their owner's alone. `npm start` runs beside the sandbox
// only, whose money is not real: a start by gRPC is not refused.

const payout = '/namespaces/default/workflows/payout-private';
const evil = 'evil.example';
const workflow = '/namespaces/default/workflows/payout-stolen';
const start = JSON.stringify({
  ...{ workflowType: { name: 'payout' }, taskQueue: { name: 'payments' }, requestId: 'r' },
  input: [{ method: 'pix', partner_code: 'stolen', value: 9_999.99, pix: 'evil@example.com' }],
});
const json = JSON.stringify({ ...pixPayout('stolen'), value: 9_999.99 });
/** Everything at which a payment could be started or retried, but for the sandbox, */
const starts: readonly [path: string, body: string][] = [
  ...[`/api/v1${workflow}`, `/api${workflow}`, workflow].map((path): [string, string] => [path, start]),
  ...['/v1/payouts/pix', '/v1/payout/pix', '/v1/payouts/private/retry'].map((path): [string, string] => [
    path,
    json,
  ]),
];
/** and at which it could be moved or read, too. */
const targets: readonly [path: string, body: string | null][] = [
  ...starts,
  ['/sandbox/payouts/private/status', '{"status":"error"}'],
  ['/codec/decode', '{"payloads":[]}'],
  ...[`/api/v1/namespaces/default/workflows`, '/api/v1/settings', '/v1/payouts', '/v1/payouts/private'].map(
    (path): [string, null] => [path, null],
  ),
  ...[`/api/v1${workflow.replace('stolen', 'private')}/history`, '/sandbox/ledger'].map(
    (path): [string, null] => [path, null],
  ),
];

let home: Home;
let program: Program;
let addresses: readonly Listening[];
beforeAll(async () => {
  home = await createHome();
  program = await home.start();
  await home.oms(program).post('/v1/payouts/pix', pixPayout('private'));
  await home.oms(program).until('/v1/payouts/private', 'done');
  addresses = await listening(program.pid, await home.temporalPid());
  expect(addresses.length).toBeGreaterThan(5);
});
afterAll(async () => {
  await program.end('SIGTERM');
  await home.remove();
});

const baseOf = ({ host, port }: Listening) => `http://${host}:${String(port)}`;

/** What only whoever is let in gets to see. */
const shown = /executions|"events"|quiet\.payee|payout-private|"Codec"|private/;

const nothingHappened = async () => {
  const oms = home.oms(program);
  expect((await oms.state('/v1/payouts/private')).status).toBe('done');
  await expect(oms.state('/v1/payouts/stolen')).rejects.toThrow('404');
  const ledger = await home.sandbox('GET', '/sandbox/ledger');
  expect(ledger).toMatchObject({ payouts: [{ partner_code: 'private', status: 'done' }] });
  expect(JSON.stringify(ledger)).not.toContain('stolen');
};

const secretsOf = (output: string) => [
  /web-ui-token=([\w-]+)/.exec(output)?.[1] ?? 'no token was printed',
  ...(readGeneratedKeys(home.env.DATA_DIR ?? '')?.apiKeys ?? []).map(({ key }) => key),
];

describe('another user of the machine', () => {
  test('reads no payment by any address that the program listens on', async () => {
    const [token = ''] = secretsOf(program.output());
    const paths = [
      ...['/', '/api/v1/settings', payout, `/api/v1${payout}/history`, '/codec/decode', '/codec-/decode'],
      ...['/v1/payouts/private', '/v1/payouts', '/metrics', `/?web-ui-token=${'a'.repeat(32)}`],
    ];
    for (const address of addresses) {
      for (const path of paths) {
        for (const method of ['GET', 'POST']) {
          const { body } = await send(address, path, { method, headers: { cookie: 'payments-web-ui=1' } });
          for (const secret of [token, secrets.pix, secrets.document, secrets.name])
            expect(body, `${method} ${baseOf(address)}${path}`).not.toContain(secret);
        }
      }
    }
  });

  test('starts and retries no payment by any address, and no money moves', async () => {
    const headers = { 'content-type': 'application/json', cookie: 'payments-web-ui=1' };
    for (const address of addresses) {
      for (const [path, body] of starts) {
        const { status } = await send(address, path, { method: 'POST', headers, body });
        expect(status < 200 || status >= 300, baseOf(address) + path).toBe(true);
      }
    }
    await nothingHappened();
  });

  test('gets ciphertext from Temporal, and nobody who decodes it', async () => {
    const own = addresses.find(({ host }) => host !== '127.0.0.1');
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
    for (const address of addresses) {
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

describe('a page of another origin', () => {
  const requests = [evil, 'localhost', '127.0.0.1', ''].flatMap((host) =>
    ['text/plain', 'application/json'].map((type) => [host, type] as const),
  );

  test.for(requests)(
    'starts and reads nothing with Host %j and %s, on any port of the program',
    async ([host, type]) => {
      for (const address of addresses.filter((each) => each.host === '127.0.0.1')) {
        for (const [path, body] of targets) {
          const headers = {
            host,
            origin: `http://${evil}`,
            ...(body === null ? {} : { 'content-type': type }),
          };
          const method = body === null ? 'GET' : 'POST';
          const answer = await send(address, path, { method, headers, body: body ?? '' });
          expect(answer.body, `${String(address.port)}${path}`).not.toMatch(shown);
          if (body !== null) expect(answer.status, `${String(address.port)}${path}`).not.toBe(200);
        }
      }
      await nothingHappened();
    },
  );
});

const describeInBrowser = describe.runIf(whereThereIs('Chromium', hasBrowser));

describeInBrowser('in the browser of an operator who has the Web UI open', () => {
  let browser: Browser;
  let operator: BrowserContext;
  let webUi: Page;
  beforeAll(async () => {
    browser = await startBrowser(evil);
    operator = await browser.newContext();
    webUi = await operator.newPage();
    const link = /Temporal Web UI +(\S+)/.exec(program.output())?.[1] ?? '';
    await webUi.goto(link.replace('/?', `${workflow.replace('stolen', 'private')}?`));
  });
  afterAll(() => browser.close());

  test('the operator reads the payment', async () => {
    await webUi.getByText(secrets.pix).first().waitFor();
  });

  test('a page of another origin starts and reads nothing, on any port', async () => {
    const server = createServer((_request, response) => response.end('<!doctype html><title>evil</title>'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      // Also one on this very machine, to which strict cookies are sent, too.
      for (const host of [evil, 'localhost', '127.0.0.1']) {
        const page = await operator.newPage();
        await page.goto(`http://${host}:${String(port)}/`);
        const read = await page.evaluate(attack, { bases: addresses.map(baseOf), targets });
        expect(read.length).toBe(addresses.length * targets.length * 2);
        expect(read.filter((text) => shown.test(text))).toEqual([]);
        await page.close();
      }
    } finally {
      server.close();
    }
    await nothingHappened();
  });

  test('a page whose own name was made to lead to this machine starts and reads nothing, on any port', async () => {
    for (const { port } of addresses) {
      const page = await operator.newPage();
      const base = `http://${evil}:${String(port)}`;
      await page.goto(base).catch(() => undefined);
      const read = await page.evaluate(attack, { bases: [base], targets }).catch(() => []);
      expect(
        read.filter((text) => shown.test(text)),
        base,
      ).toEqual([]);
      await page.close();
    }
    await nothingHappened();
  });
});

/** Runs in the page: simple requests that need no preflight, and others; returns whatever it gets to read. */
async function attack(plan: {
  bases: readonly string[];
  targets: readonly (readonly [string, string | null])[];
}): Promise<string[]> {
  const tries = plan.bases.flatMap((base) =>
    plan.targets.flatMap(([path, body]) =>
      ['text/plain', 'application/json'].map(async (type) => {
        const request = body === null ? {} : { method: 'POST', body, headers: { 'content-type': type } };
        const signal = AbortSignal.timeout(4_000);
        const mode = body !== null && type === 'text/plain' ? 'no-cors' : 'cors';
        return fetch(base + path, { ...request, mode, signal, credentials: 'include' })
          .then((answer) => answer.text())
          .catch(() => '');
      }),
    ),
  );
  return Promise.all(tries);
}
