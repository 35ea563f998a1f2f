import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@temporalio/client';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { InvalidRequestError } from '../../../src/client/errors.js';
import { listPayments } from '../../../src/client/list-payments.js';
import { privateDirectory } from '../../../src/config/private-directory.js';
import { ConfigError } from '../../../src/config.js';
import { toHttpError } from '../../../src/gateway/http/to-http-error.js';
import { card } from '../../gateway/requests.js';
import { answers, startRawServer } from '../../payments-service/raw-server.js';
import { call, pixPayout, serviceAt } from '../../payments-service/support.js';
import { gatewayWithoutTemporal } from '../../support/gateway-without-temporal.js';
import { answerTo } from '../../support/sockets.js';

const key = 'operator-key-0123456789';
const authorization = `Bearer ${key}`;

/** A gateway for an operator, before a Temporal that is away. */
function startGateway() {
  const gateway = gatewayWithoutTemporal({
    apiKeys: [{ name: 'ana', key, scopes: ['oms', 'operator'] }],
    limits: { temporalCallMs: 100 },
  });
  onTestFinished(gateway.close);
  return gateway;
}

const compose = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      image: z.string().optional(),
      security_opt: z.array(z.string()).default([]),
      mem_limit: z.string().optional(),
      pids_limit: z.int().optional(),
      environment: z.record(z.string(), z.string()).default({}),
    }),
  ),
});

test.for(['docker-compose.yml', 'docker-compose.monitoring.yml'])(
  'no container of %s gets new privileges or has no bounds, and none has a password that all know',
  (file) => {
    const text = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8');
    const { services } = compose.parse(parse(text, { merge: true }));
    const ownImages = Object.entries(services).filter(([, { image }]) => image !== undefined);
    expect(ownImages.length).toBeGreaterThan(1);
    for (const [name, service] of ownImages) {
      expect(service.security_opt, name).toEqual(['no-new-privileges:true']);
      expect([service.mem_limit, service.pids_limit], name).not.toContain(undefined);
      if (service.image?.includes('grafana') === true)
        expect(service.environment.GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION).toBe('true');
    }
  },
);

test('a body that is broken off is the fault of its sender, not of the gateway', () => {
  const aborted = Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
  expect(toHttpError(aborted, 'start')).toMatchObject({ statusCode: 400, slug: 'invalid-request' });
  expect(toHttpError(Object.assign(new Error('read'), { code: 'ECONNRESET' }), 'start').statusCode).toBe(500);
});

/** Whatever is asked for, Temporal says that the page token is none of its own. */
function calls(tokens: string[]) {
  const list = ({ nextPageToken }: { nextPageToken?: Uint8Array }) => {
    if (nextPageToken === undefined)
      return Promise.resolve({ executions: [], nextPageToken: Buffer.from('a token') });
    tokens.push(Buffer.from(nextPageToken).toString());
    const error = Object.assign(new Error('3 INVALID_ARGUMENT'), {
      code: 3,
      details: 'invalid',
      metadata: {},
    });
    return Promise.reject(error);
  };
  const client = {
    options: { namespace: 'test' },
    workflowService: { listWorkflowExecutions: list },
    withDeadline: <Answer>(_at: number, call: () => Answer) => call(),
  } as unknown as Client;
  return { client, callTimeoutMs: 1_000 };
}

test('a cursor that is forged is refused as one, whatever Temporal makes of it', async () => {
  const tokens: string[] = [];
  const list = (cursor?: string) =>
    listPayments(calls(tokens), { kinds: ['payout'], ...(cursor && { cursor }) });
  const { next_cursor: cursor } = await list();
  await expect(list(String(cursor))).rejects.toThrow(InvalidRequestError);
  expect(tokens).toEqual(['a token']);
  const forged = createHash('sha256').update('forged').digest().toString('base64url');
  await expect(list(forged)).rejects.toThrow(InvalidRequestError);
});

test('a cursor that no gateway has made is refused before Temporal is asked', async () => {
  const { app } = startGateway();
  const { next_cursor: made } = await listPayments(calls([]), { kinds: ['payout'] });
  const url = `/v1/payouts?cursor=${String(made)}`;
  const answer = await app.inject({ url, headers: { authorization } });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ errors: [{ field: 'cursor' }] });
});

test('a request with two Host headers is refused before its body, and one with a whole URL is answered', async () => {
  const { listen } = startGateway();
  const url = await listen();
  const answer = (head: string, more = '') =>
    answerTo(url, `${head}\r\nAuthorization: ${authorization}\r\n${more}\r\n`);
  const slow = 'Content-Type: application/json\r\nContent-Length: 100\r\n';
  const close = 'Connection: close\r\n';
  for (const [head, more] of [
    ['POST /v1/payouts/pix HTTP/1.1\r\nHost: a\r\nHost: b', slow],
    ['GET /v1/payouts HTTP/1.1\r\nHost: a\r\nhOST: a', close],
    ['GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b', close],
  ] as const) {
    expect(await answer(head, more)).toMatch(/^HTTP\/1.1 400 [^]*application\/problem\+json[^]*"Host"/);
  }
  expect(await answer('GET /healthz HTTP/1.1')).toMatch(/^HTTP\/1.1 400 /);
  expect(await answer('GET http://b/healthz HTTP/1.1\r\nHost: a', close)).toMatch(/^HTTP\/1.1 200 /);
});

test('no answer of any address under /v1 is kept by a cache, whether it is refused, fails or is good', async () => {
  const { app } = startGateway();
  const routes = new Set<string>();
  app.addHook('onRoute', ({ method, url }) => {
    // Those of several methods answer 405.
    if (url.startsWith('/v1/') && (method === 'GET' || method === 'POST')) routes.add(`${method} ${url}`);
  });
  await app.ready();
  const statuses = new Set<number>();
  const look = async (method: 'GET' | 'POST', url: string, headers: object, payload?: object | string) => {
    const answer = await app.inject({ method, url, headers: { ...headers }, ...(payload && { payload }) });
    expect(answer.headers['cache-control'], `${method} ${url}`).toBe('no-store');
    statuses.add(answer.statusCode);
  };
  await look('POST', '/v1/cards', { authorization }, card());
  await Promise.all(
    [...routes].map(async (route) => {
      const [method, path = ''] = route.split(' ');
      const url = path.replaceAll(/:\w+/g, 'x');
      if (method === 'POST')
        await look('POST', url, { authorization, 'content-type': 'application/json' }, '{');
      else await look('GET', url, { authorization });
      await look(method === 'POST' ? 'POST' : 'GET', url, {});
    }),
  );
  expect(routes.size).toBeGreaterThan(30);
  expect([...statuses]).toEqual(expect.arrayContaining([201, 400, 401, 503]));
});

test.for([300, 301, 302, 303, 305, 307, 308])(
  'a %i leads nobody elsewhere, neither with the client secret nor with the token',
  async (status) => {
    const stranger = await startRawServer(answers(200, '{"id":"stolen","token":"stolen","status":"done"}'));
    const { url } = await startRawServer(answers(status, '', { location: `${stranger.url}/v1/auth` }));
    const service = serviceAt(url);
    for (const result of [await service.authenticate(), await service.createPixPayout(pixPayout, call)])
      expect(result.outcome).not.toBe('answered');
    expect(stranger.connections()).toBe(0);
  },
);

test('a data directory that belongs to another user is refused, and left as it is', () => {
  const parent = mkdtempSync(join(tmpdir(), 'planted-'));
  onTestFinished(() => {
    rmSync(parent, { recursive: true });
  });
  const planted = join(parent, 'data');
  mkdirSync(planted, { mode: 0o777 });
  const before = statSync(planted).mode;
  expect(() => {
    privateDirectory(planted, statSync(planted).uid + 1);
  }).toThrow(ConfigError);
  expect(statSync(planted).mode).toBe(before);
  privateDirectory(planted);
  expect(statSync(planted).mode & 0o777).toBe(0o700);
});
