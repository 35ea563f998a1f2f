import { createServer } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test as base } from 'vitest';
import { listening } from '../../support/listening.js';
import {
  accountValidation,
  cardOrder as cardOrderOf,
  pixPayout as payoutByPix,
  testCard,
  transferPayout as payoutByTransfer,
} from '../../support/requests.js';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../../src/dev/sandbox/server.js';

const credentials = { clientId: 'shop', clientSecret: 'sandbox-secret' };

/** Tests before such a sandbox: one who is signed in, one who controls it, and a receiver of postbacks. */
export const test = base
  .extend('service', () => sandbox())
  .extend('call', ({ service }) => signedIn(service))
  .extend('control', ({ service }) => callerOf(service))
  .extend('receiver', () => postbackReceiver());

/** A sandbox that runs a thousand times faster, ended with the test. */
export async function sandbox(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  const started = await startSandbox({ ...credentials, timeScale: 0.001, ...options });
  onTestFinished(() => started.close());
  return started;
}

export type Reply = {
  readonly status: number;
  readonly headers: Record<string, unknown>;
  readonly text: string;
  readonly json: Record<string, unknown>;
};

export type Caller = {
  (endpoint: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  readonly token: string;
};

export const basic = `Basic ${Buffer.from('shop:sandbox-secret').toString('base64')}`;

/** Calls the sandbox over HTTP: `call('GET /v1/payouts')`; one connection a call, so that a cut one harms no other. */
export function callerOf({ url }: Sandbox, token = ''): Caller {
  const agent = new Agent({ pipelining: 0 });
  onTestFinished(() => agent.destroy());
  const call = async (endpoint: string, body?: unknown, headers: Record<string, string> = {}) => {
    const [method = 'GET', path = '/'] = endpoint.split(' ');
    const answer = await request(url + path, {
      method,
      dispatcher: agent,
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, text, json: asJson(text) };
  };
  return Object.assign(call, { token });
}

export async function signedIn(service: Sandbox): Promise<Caller> {
  const { json } = await callerOf(service)('POST /v1/auth', undefined, { authorization: basic });
  return callerOf(service, String(json.token));
}

/** Somebody who is signed in at a sandbox of its own. */
export async function signedInAt(options: Partial<SandboxOptions>) {
  const service = await sandbox(options);
  return { service, call: await signedIn(service) };
}

function asJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

export type Received = { id: string; status: string; partner_code: string; type: string };

/** A receiver of postbacks. `answers` are the status codes of the first calls, then 200. */
export async function postbackReceiver(...answers: number[]) {
  const received: Received[] = [];
  let waiters: (() => void)[] = [];
  const server = createServer((incoming, outgoing) => {
    void textOf(incoming).then((text) => {
      received.push(JSON.parse(text) as Received);
      outgoing.writeHead(answers.shift() ?? 200).end();
      for (const wake of waiters.splice(0)) wake();
    });
  });
  const { url } = await listening(server);
  onTestFinished(
    () => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections()),
  );
  return {
    url: `${url}/postbacks`,
    received,
    statuses: () => received.map(({ status }) => status),
    async atLeast(count: number): Promise<void> {
      while (received.length < count) await new Promise<void>((resolve) => (waiters = [...waiters, resolve]));
    },
  };
}

export const anyText: unknown = expect.any(String);

const nowhere = 'http://127.0.0.1:9/postbacks';

export const card = testCard;
export const { customer } = cardOrderOf('');

export function orderFields(fields: Record<string, unknown> = {}) {
  return { ...cardOrderOf('o-1').order, value: 10.5, notification_url: nowhere, ...fields };
}

export function cardOrder(fields: Record<string, unknown> = {}, cardFields: Record<string, unknown> = {}) {
  return { order: orderFields(fields), customer, credit_card: { ...card, ...cardFields } };
}

export function pixPayout(fields: Record<string, unknown> = {}) {
  return { ...payoutByPix('p-1'), value: 20.01, notification_url: nowhere, ...fields };
}

export function transferPayout(fields: Record<string, unknown> = {}) {
  return { ...payoutByTransfer('p-1'), value: 20.01, notification_url: nowhere, ...fields };
}

export function validation(fields: Record<string, unknown> = {}) {
  return { ...accountValidation('v-1'), notification_url: nowhere, ...fields };
}
