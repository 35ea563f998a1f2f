import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startWebUi } from '../../../src/dev/embedded-temporal/web-ui.js';
import type { WebUi } from '../../../src/dev/embedded-temporal/web-ui.js';
import { send } from '../../security/support/machine.js';
import { listening } from '../../support/listening.js';
import { ownPort } from '../../support/own-port.js';

const token = 'token-0123456789abcdef';
/** What Temporal’s own Web UI and the codec were asked, and with what. */
let reached: { url: string | undefined; headers: IncomingHttpHeaders }[] = [];
beforeEach(() => {
  reached = [];
});

const behind = createServer(({ url, headers }, response) => {
  reached.push({ url, headers });
  response.end('payments');
});
let webUi: WebUi;
let own: { host: string; port: number };
beforeAll(async () => {
  const { url: upstream } = await listening(behind);
  const port = await ownPort();
  own = { host: '127.0.0.1', port };
  webUi = await startWebUi({ port, upstream, token, codecUrl: `${upstream}/secret-path` });
});
afterAll(async () => {
  await webUi.close();
  behind.close();
});

/** What the browser of an operator sends who came by the printed link, from a page of the Web UI. */
function ofOwnPage(): Record<string, string> {
  const name = `127.0.0.1:${String(own.port)}`;
  const cookie = `payments-web-ui-${String(own.port)}=${token}`;
  return { host: name, origin: `http://${name}`, 'sec-fetch-site': 'same-origin', cookie };
}
/** The same, but for what is named; undefined takes it away, and PORT stands for its port. */
function but(changes: Record<string, string | undefined>): Record<string, string> {
  const headers = Object.entries({ ...ofOwnPage(), ...changes });
  return Object.fromEntries(
    headers.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value.replace('PORT', String(own.port))]],
    ),
  );
}

/** None of these addresses is let through, by either method; answers the bodies. */
async function areRefused(paths: string[], changes: Record<string, string | undefined>): Promise<string[]> {
  const bodies: string[] = [];
  for (const path of paths)
    for (const method of ['GET', 'POST']) {
      const { status, body } = await send(own, path, { method, headers: but(changes), body: '' });
      expect({ path, method, status }).toEqual({ path, method, status: 403 });
      bodies.push(body);
    }
  expect(reached).toEqual([]);
  return bodies;
}

const withoutToken = ['/api/v1/settings', '/codec/decode', '/?namespace=default'];
/** A token in the address of a page stands for the cookie. */
const asks = [...withoutToken, `/?web-ui-token=${token}`];

test('a page of the Web UI that has the token reaches Temporal’s own and the codec, which do not get it', async () => {
  for (const origin of [ofOwnPage().origin, undefined]) {
    expect((await send(own, '/api/v1/settings', { headers: but({ origin }) })).status).toBe(200);
    const decoding = {
      method: 'POST',
      headers: but({ origin, 'content-type': 'application/json' }),
      body: '{}',
    };
    expect((await send(own, '/codec/decode', decoding)).body).toBe('payments');
  }
  expect(reached.map(({ url }) => url)).toEqual([
    ...['/api/v1/settings', '/secret-path/decode', '/api/v1/settings', '/secret-path/decode'],
  ]);
  expect(JSON.stringify(reached)).not.toContain(token);
});

const foreign: [string, Record<string, string | undefined>, string[]][] = [
  ['a foreign Host', { host: 'evil.example' }, asks],
  ['a foreign Host of the same port', { host: 'evil.example:PORT' }, asks],
  ['its own Host by another name', { host: 'localhost:PORT' }, asks],
  ['its own Host without its port', { host: '127.0.0.1' }, asks],
  ['a foreign Origin', { origin: 'http://evil.example' }, asks],
  ['an Origin of another port of this machine', { origin: 'http://127.0.0.1:1' }, asks],
  ['an opaque Origin', { origin: 'null' }, asks],
  ['no cookie', { cookie: undefined }, withoutToken],
  ['a token that is longer', { cookie: `payments-web-ui-PORT=${token}x` }, withoutToken],
  ['a token that is shorter', { cookie: `payments-web-ui-PORT=${token.slice(0, -1)}` }, withoutToken],
  ['an empty token', { cookie: 'payments-web-ui-PORT=' }, withoutToken],
  ['the token of the Web UI at another port', { cookie: `payments-web-ui-1=${token}` }, withoutToken],
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }, withoutToken],
  ['a page at another port of this machine', { 'sec-fetch-site': 'same-site' }, withoutToken],
];

test.for(foreign)('%s alone is refused, whatever else is right', async ([, changes, paths]) => {
  expect((await areRefused(paths, changes)).join()).not.toContain(token);
});

test('a token in an address is taken where a page is opened, and not where something is sent', async () => {
  const headers = but({ cookie: undefined });
  const path = `/namespaces/default?web-ui-token=${token}`;
  expect((await send(own, path, { method: 'POST', headers, body: '' })).status).toBe(403);
  expect((await send(own, path.replace(token, `${token}x`), { headers })).status).toBe(403);
  const opened = await send(own, path, { headers });
  expect(opened.status).toBe(200);
  expect(opened.body).not.toContain(token);
  expect(reached).toEqual([]);
});
