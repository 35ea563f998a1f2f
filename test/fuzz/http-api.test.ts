import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { CardStore } from '../../src/card-store/card-store.js';
import { postbackCapability } from '../../src/contract/postback-capability.js';
import { operatorKey, postbackKey } from '../gateway/call.js';
import { gatewayWithoutTemporal } from '../support/gateway-without-temporal.js';
import { pan, spoilt, strangeText, strangeValue } from './support/arbitraries.js';
import { bounded, cases } from './support/runs.js';

type Call = { method: 'GET' | 'POST'; url: string; payload?: string; headers: Record<string, string> };

const parameter = z.object({
  ...{ name: z.string(), in: z.string() },
  schema: z.object({ enum: z.array(z.string()).optional() }),
});
const json = z.object({ schema: z.object({ $ref: z.string().default('') }) });
const operation = z.object({
  parameters: z.array(parameter).default([]),
  requestBody: z.object({ content: z.object({ 'application/json': json }) }).optional(),
});
/** What is as it should be where the document shows no example. */
const otherBodies = [{ reason: 'why' }, { reason: 'why', bulk_retry_id: 'b', filter: { cause: 'refused' } }];
const document = z.object({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({
    schemas: z.record(z.string(), z.object({ examples: z.array(z.looseObject({})).default(otherBodies) })),
  }),
});
type Operation = z.output<typeof operation> & { path: string; method: 'GET' | 'POST'; bodies: object[] };

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
  const { components, paths } = document.parse((await app.inject({ url: '/openapi.json' })).json());
  const bodiesOf = ({ requestBody }: z.output<typeof operation>): object[] => {
    const name = requestBody?.content['application/json'].schema.$ref.split('/').at(-1) ?? '';
    return components.schemas[name]?.examples ?? otherBodies;
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({
      ...{ ...each, path, bodies: bodiesOf(each) },
      method: method === 'get' ? ('GET' as const) : ('POST' as const),
    })),
  );
});

afterAll(() => close());

const header = strangeText.map((text) => text.replaceAll(/[^\t\x20-\x7e]/g, '').slice(0, 1_000));
const segment = fc.oneof(
  strangeText.map((text) => text.slice(0, 300)),
  fc.constantFrom('a', pan, '..', 'order-1', postbackCapability([postbackKey], 'payout-a')),
);

/** Requests of the operations in the OpenAPI document, with their examples spoilt and their parameters well or badly filled in. */
function requests(): fc.Arbitrary<Call> {
  return fc.oneof(...operations.map(requestsOf));
}

function requestsOf({ path, method, parameters, bodies }: Operation): fc.Arbitrary<Call> {
  const inQuery = parameters.filter((each) => each.in === 'query');
  const query = fc.record(
    Object.fromEntries(
      inQuery.map(({ name, schema: { enum: taken = ['1', '2026-05-01T00:00:00Z'] } }) => [
        name,
        fc.oneof(fc.constantFrom(...taken), strangeText),
      ]),
    ),
    { requiredKeys: [] },
  );
  const body = fc.oneof(strangeValue, ...bodies.flatMap((good) => [spoilt(good), spoilt(good)]));
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
        Object.entries(asked).map(([name, value]): [string, string] => [name, wellFormed(value ?? '')]),
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

/** Without the halves of characters, which no URL can carry. */
function wellFormed(text: string): string {
  return text.replaceAll(/[\ud800-\udfff]/g, '');
}
