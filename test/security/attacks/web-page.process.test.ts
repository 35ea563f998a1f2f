import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pixPayout, secrets } from '../../processes/support/oms.js';
import type { Program } from '../../processes/support/program.js';
import { createHome } from '../../processes/support/started.js';
import type { Home } from '../../processes/support/started.js';
import { whereThereIs } from '../../support/tools.js';
import { hasBrowser, startBrowser } from '../support/browser.js';
import { listening, send } from '../support/machine.js';
import type { Listening } from '../support/machine.js';

const evil = 'evil.example';
const workflow = '/namespaces/default/workflows/payout-stolen';
const start = JSON.stringify({
  ...{ workflowType: { name: 'payout' }, taskQueue: { name: 'payments' }, requestId: 'r' },
  input: [{ method: 'pix', partner_code: 'stolen', value: 9_999.99, pix: 'evil@example.com' }],
});
const json = JSON.stringify({ ...pixPayout('stolen'), value: 9_999.99 });
/** Everything at which a payment could be started, moved or read. */
const targets: readonly [path: string, body: string | null][] = [
  ...[`/api/v1${workflow}`, `/api${workflow}`, workflow].map((path): [string, string] => [path, start]),
  ...['/v1/payouts/pix', '/v1/payout/pix', '/v1/payouts/private/retry'].map((path): [string, string] => [
    path,
    json,
  ]),
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
});
afterAll(async () => {
  await program.end('SIGTERM');
  await home.remove();
});

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

describe('a page of another origin', () => {
  const requests = [evil, 'localhost', '127.0.0.1', ''].flatMap((host) =>
    ['text/plain', 'application/json'].map((type) => [host, type] as const),
  );

  test.for(requests)(
    'starts and reads nothing with Host %j and %s, on any port of the program',
    async ([host, type]) => {
      expect(addresses.length).toBeGreaterThan(5);
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

const baseOf = ({ host, port }: Listening) => `http://${host}:${String(port)}`;

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
