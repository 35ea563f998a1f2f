import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { CardStore } from '../../src/card-store/card-store.js';
import { postbackCapability } from '../../src/contract/postback-capability.js';
import { card, cardOrder, pixPayout, transferPayout } from '../gateway/requests.js';
import { operatorKey, postbackKey } from '../gateway/call.js';
import { gatewayWithoutTemporal } from '../support/gateway-without-temporal.js';
import { pan, spoilt, strangeText, strangeValue } from './support/arbitraries.js';
import { fromSchema } from './support/from-schema.js';
import type { Schema } from './support/from-schema.js';
import { withoutRefs } from './support/without-refs.js';
import { bounded, cases } from './support/runs.js';

type Call = { method: 'GET' | 'POST'; url: string; payload?: string; headers: Record<string, string> };

const operation = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string(), schema: z.unknown() })).default([]),
  requestBody: z.object({ content: z.record(z.string(), z.object({ schema: z.unknown() })) }).optional(),
});
type Operation = { path: string; method: 'GET' | 'POST'; operation: z.output<typeof operation> };
const document = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) });

/** What is as it should be, so that spoiling it reaches the inner checks. */
const goodBodies: Record<string, object> = {
  '/v1/cards': card(),
  '/v1/orders/card': cardOrder(),
  '/v1/payouts/pix': pixPayout(),
  '/v1/payouts/transfer': transferPayout(),
  '/v1/orders/{partner_code}/card': { credit_card: card() },
  '/v1/orders/{partner_code}/refund': { service_id: '1', reason: 'why' },
  '/v1/orders/{partner_code}/resolve': { service_id: '1', reason: 'why' },
  '/v1/payouts/{partner_code}/retry': { attempt: 1, corrections: { pix: 'ana@example.com' }, reason: 'why' },
  '/v1/payouts/{partner_code}/resolve': { nothing_happened: true, reason: 'why' },
  '/v1/payout-batches': { batch_id: 'b', payouts: [{ method: 'pix', ...pixPayout() }] },
  '/v1/bulk-retries': {
    bulk_retry_id: 'b',
    filter: { cause: 'service_error', method: 'pix' },
    reason: 'why',
  },
};

let app: FastifyInstance;
let close: () => Promise<void>;
let logs: () => string;
let operations: Operation[];

beforeAll(async () => {
  // Whatever gets through to Temporal is answered with 503.
  const gateway = gatewayWithoutTemporal({
    cardStore: new CardStore('card-store-fuzz', { maxCards: 10, lifeMs: 60_000 }),
    limits: { temporalCallMs: 2, requestsPerMinute: 100_000_000, addressRequestsPerMinute: 100_000_000 },
  });
  ({ app, close, logs } = gateway);
  const { paths } = document.parse(withoutRefs((await app.inject({ url: '/openapi.json' })).json()));
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({
      path,
      method: method === 'get' ? ('GET' as const) : ('POST' as const),
      operation: each,
    })),
  );
});

afterAll(() => close());

const header = strangeText.map((text) => text.replaceAll(/[^\t\x20-\x7e]/g, '').slice(0, 1_000));
const segment = fc.oneof(
  strangeText.map((text) => text.slice(0, 300)),
  fc.constantFrom('a', pan, '..', 'order-1', postbackCapability([postbackKey], 'payout-a')),
);

/** Requests as the OpenAPI document describes them, well or badly filled in. */
function requests(): fc.Arbitrary<Call> {
  // Each made once: a schema takes longer to turn into values than a value takes.
  return fc.oneof(...operations.map(requestsOf));
}

function requestsOf({ path, method, operation: { parameters, requestBody } }: Operation): fc.Arbitrary<Call> {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const query = fc.record(
    Object.fromEntries(
      inQuery.map(({ name, schema }) => [name, fc.oneof(fromSchema(schema as Schema), strangeText)]),
    ),
    { requiredKeys: [] },
  );
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema as Schema | undefined;
  const good = goodBodies[path];
  const body = fc.oneof(
    fromSchema(schema ?? {}),
    ...(good === undefined ? [strangeValue] : [spoilt(good), spoilt(good)]),
  );
  return fc
    .record({
      segments: fc.array(segment, { minLength: 3, maxLength: 3 }),
      query,
      body: fc.oneof(
        { weight: 6, arbitrary: body.map((value) => JSON.stringify(value)) },
        { weight: 1, arbitrary: strangeText },
      ),
      type: fc.oneof(
        { weight: 6, arbitrary: fc.constant('application/json') },
        { weight: 1, arbitrary: fc.constantFrom('text/csv', 'application/x-ndjson', 'text/plain') },
        { weight: 1, arbitrary: header },
      ),
      prefer: fc.option(fc.oneof(header, fc.constant('wait=0'))),
    })
    .map(({ segments, query: asked, body: payload, type, prefer }) => {
      const filled = path.replaceAll(/\{\w+\}/g, () =>
        encodeURIComponent(wellFormed(segments.shift() ?? '')),
      );
      const search = new URLSearchParams(
        Object.entries(asked).map(([name, value]): [string, string] => [name, wellFormed(asText(value))]),
      );
      return {
        method,
        url: `${filled}?${search.toString()}`,
        headers: {
          authorization: `Bearer ${operatorKey}`,
          ...(method === 'POST' ? { 'content-type': type } : {}),
          ...(prefer === null ? {} : { prefer }),
        },
        ...(method === 'POST' ? { payload } : {}),
      };
    });
}

test('whatever is requested is answered, without a fault of ours and without a card', async () => {
  const seen = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(requests(), async (call) => {
      const answer = await bounded(() => app.inject(call));
      const { statusCode } = answer;
      seen.set(statusCode, (seen.get(statusCode) ?? 0) + 1);
      expect([200, 201, 202, 400, 404, 405, 413, 414, 415, 503]).toContain(statusCode);
      if (statusCode >= 400) {
        expect(answer.headers['content-type']).toContain('application/problem+json');
        expect(answer.body).not.toContain('urn:durable-payments:problem:internal');
      }
      expect(answer.body).not.toContain(pan);
    }),
    cases(13),
  );
  expect(seen.get(400)).toBeGreaterThan(0);
  expect(seen.get(503)).toBeGreaterThan(0);
});

test('any address and broken JSON is answered without a fault of ours or a card', async () => {
  const address = fc.oneof(strangeText, fc.constantFrom(pan, '..', '%', '%00', '%zz', '\\', '?until='));
  const base = fc.constantFrom('/v1/payouts/', '/v1/orders/', '/schemas/', '/');
  await fc.assert(
    fc.asyncProperty(base, address, strangeText, async (path, rest, payload) => {
      const url = path + encodeURI(wellFormed(rest.slice(0, 300)));
      const headers = { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' };
      const answer = await app.inject({ method: 'POST', url, headers, payload: `{"n":${pan},${payload}` });
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode).toBeLessThan(500);
      expect(answer.body).not.toContain(pan);
    }),
    cases(1),
  );
});

test('whatever is posted to a postback address is taken or refused', async () => {
  // Each of a payment of its own: those of one would wait for each other.
  let payments = 0;
  const genuine = fc.constant('payout').map((kind) => {
    payments += 1;
    return postbackCapability([postbackKey], `${kind}-${String(payments)}`);
  });
  const forged = strangeText.map((text) => encodeURIComponent(wellFormed(text.slice(0, 600))));
  const capability = fc.oneof(genuine, forged);
  await fc.assert(
    fc.asyncProperty(capability, strangeText, header, async (address, payload, type) => {
      const answer = await bounded(() =>
        app.inject({
          method: 'POST',
          url: `/postbacks/${address}`,
          payload,
          headers: { 'content-type': type },
        }),
      );
      expect([400, 404, 413, 414, 415, 503]).toContain(answer.statusCode);
      expect(answer.body).not.toContain(pan);
    }),
    cases(4),
  );
});

test('after all of this no card and no capability stands in the log', () => {
  expect(logs()).toContain('"route":"/v1/orders/card"');
  expect(logs()).not.toContain(pan);
  expect(logs()).not.toContain(postbackCapability([postbackKey], 'payout-a').split('.')[1]);
});

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Without the halves of characters, which no URL can carry. */
function wellFormed(text: string): string {
  return text.replaceAll(/[\ud800-\udfff]/g, '');
}
