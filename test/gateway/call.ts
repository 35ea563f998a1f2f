import { Writable } from 'node:stream';
import { pino } from 'pino';
import { request } from 'undici';
import type { ApiKey } from '../../src/gateway/http/api-keys.js';

export const omsKey = 'oms-key-0123456789abcdef';
export const otherOmsKey = 'other-oms-key-0123456789';
export const operatorKey = 'operator-key-0123456789';
export const codecKey = 'codec-key-0123456789abcd';
export const postbackKey = Buffer.alloc(32, 3);

/** A key of each kind. */
export const apiKeys: readonly ApiKey[] = [
  { name: 'shop', key: omsKey, scopes: ['oms'] },
  { name: 'market', key: otherOmsKey, scopes: ['oms'] },
  { name: 'ana', key: operatorKey, scopes: ['oms', 'operator'] },
  { name: 'web-ui', key: codecKey, scopes: ['codec'] },
];

export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  body: Body;
};

/** Whatever tests look at in bodies, over all routes; what a route does not answer is undefined at run time. */
export type Body = {
  status: string | number;
  attention: string | null;
  title: string;
  detail: string;
  errors: { field: string; message: string }[];
  timeline: { what: string; by?: string; reason?: string }[];
  attempts: { partner_code: string }[];
  card_ref: string;
  task_queue: string;
  closed: boolean;
  closed_as: string | null;
  payouts?: Record<string, number>;
  started_by: string | null;
  awaiting: string;
  workflow_id: string;
  service_id: string | null;
  reason: string;
  payments: {
    partner_code: string;
    status: string;
    value: number;
    closed: boolean;
    closed_as: string | null;
    updated_at: string | null;
  }[];
  next_cursor: string | null;
  next_since: string;
  complete: boolean;
  payloads: { metadata: Record<string, string>; data: string }[];
  schemas: string[];
  openapi: string;
  paths: Record<
    string,
    {
      post: {
        requestBody: { content: { 'application/json': { schema: { required: string[] } } } };
        responses: object;
      };
    }
  >;
};

export type CallOptions = {
  body?: unknown;
  /** Sent as it is, in place of a JSON body. */
  raw?: string | Buffer;
  headers?: Record<string, string>;
  key?: string | null;
};

/** A logger whose lines a test can read. */
export function memoryLog() {
  const chunks: string[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk.toString());
      done();
    },
  });
  return { logger: pino({ level: 'trace' }, stream), text: () => chunks.join('') };
}

export async function call(
  url: string,
  method: string,
  path: string,
  { body, raw, headers = {}, key = omsKey }: CallOptions = {},
): Promise<Answer> {
  const answer = await request(url + path, {
    method: method as 'GET' | 'POST',
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: raw ?? (body === undefined ? null : JSON.stringify(body)),
  });
  const text = await answer.body.text();
  const isJson = /\bjson\b/.test(String(answer.headers['content-type']));
  const parsed = JSON.parse(isJson ? text : '{}') as Body;
  return { status: answer.statusCode, headers: answer.headers, text, body: parsed };
}
