import { Client, Connection } from '@temporalio/client';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { CardStore } from '../../src/card-store/card-store.js';
import { createGateway } from '../../src/gateway/create-gateway.js';
import { card, cardOrder, pan, pixPayout, transferPayout } from './requests.js';
import { memoryLog, operatorKey, postbackKey } from './test-gateway.js';
import { fixedSeed } from '../fuzz/support/runs.js';
import { neverOverloaded } from '../support/never-overloaded.js';

const bodies: Record<string, object> = {
  '/v1/cards': card(),
  '/v1/orders/card': cardOrder(),
  '/v1/payouts/pix': pixPayout(),
  '/v1/payouts/transfer': transferPayout(),
  '/v1/orders/a/card': { credit_card: card() },
  '/v1/payouts/a/retry': { attempt: 1, corrections: { pix: 'ana@example.com' }, reason: 'why' },
  '/v1/payouts/a/resolve': { service_id: '1', reason: 'why' },
};

let app: FastifyInstance;
let connection: Connection;
let logs: () => string;
beforeAll(() => {
  // Nothing listens there: whatever gets through to Temporal is answered with 503.
  connection = Connection.lazy({ address: '127.0.0.1:1', interceptors: [] });
  const log = memoryLog();
  logs = log.text;
  app = createGateway({
    client: new Client({ connection }),
    cardStore: new CardStore('card-store-fuzz'),
    apiKeys: [{ name: 'ana', key: operatorKey, scopes: ['oms', 'operator'] }],
    postbackKeys: [postbackKey],
    logger: log.logger,
    audit: () => undefined,
    taskQueue: 'none',
    limits: { temporalCallMs: 50, requestsPerMinute: 1_000_000, ...neverOverloaded },
  });
});
afterAll(async () => {
  await app.close();
  await connection.close();
});

const send = (url: string, payload: string) =>
  app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
    payload,
  });

const strange = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(pan, Number(pan), { [pan]: pan }, [pan], `card ${pan}`, null, '', -0, 1e300),
);

/** The body with one of its fields, at whatever depth, replaced. */
const spoilt = (body: object): fc.Arbitrary<unknown> =>
  fc
    .constantFrom(...Object.entries(body))
    .chain(([name, value]: [string, unknown]) =>
      (typeof value === 'object' && value !== null ? fc.oneof(spoilt(value), strange) : strange).map(
        (other) => ({ ...body, [name]: other }),
      ),
    );

test.each(Object.entries(bodies))(
  '%s answers any body without a fault of ours or a card',
  async (url, body) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(strange, spoilt(body)), async (sent) => {
        const answer = await send(url, JSON.stringify(sent));
        expect([201, 400, 503]).toContain(answer.statusCode);
        expect(answer.body).not.toContain(pan);
      }),
      { numRuns: 60, ...fixedSeed },
    );
  },
);

test('any address, header and broken JSON is answered without a fault of ours or a card', async () => {
  const segment = fc.oneof(fc.string(), fc.constantFrom(pan, '..', '%', '%00', '%zz', '\\', '?until='));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('/v1/payouts/', '/v1/orders/', '/postbacks/', '/schemas/', '/'),
      segment,
      fc.string(),
      async (base, rest, payload) => {
        const url = base + encodeURI(rest.replaceAll(/[\ud800-\udfff]/g, ''));
        const answer = await send(url, `{"n":${pan},${payload}`);
        expect(answer.statusCode).toBeGreaterThanOrEqual(400);
        expect(answer.statusCode).toBeLessThan(500);
        expect(answer.body).not.toContain(pan);
      },
    ),
    { numRuns: 300, ...fixedSeed },
  );
});

test('after all of this no card stands in the log', () => {
  expect(logs()).toContain('"route":"/v1/orders/card"');
  expect(logs()).not.toContain(pan);
});
