import { afterAll, beforeAll, expect, test } from 'vitest';
import { CardStore } from '../../src/card-store/card-store.js';
import { card, cardOrder } from './requests.js';
import { otherOmsKey, startTestGateway } from './test-gateway.js';
import type { TestGateway } from './test-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  const limits = { maxCards: 100, maxCardsPerKey: 3, lifeMs: 60_000 };
  gateway = await startTestGateway({ cardStore: new CardStore('card-store-of-quotas', limits) });
});
afterAll(() => gateway.close());

test('an API key with too many cards gets 429 and nothing is kept; others still get 201', async () => {
  const put = (key?: string) => gateway.call('POST', '/v1/cards', { body: card(), ...(key && { key }) });
  for (const _ of [1, 2, 3]) expect((await put()).status).toBe(201);
  const refused = await put();
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'retry-after': '60' },
    body: { type: 'urn:durable-payments:problem:too-many-cards' },
  });
  expect(refused.body.detail).toContain('Nothing was kept');
  const order = cardOrder();
  expect((await gateway.call('POST', '/v1/orders/card', { body: order })).status).toBe(429);
  expect((await gateway.call('GET', `/v1/orders/${order.order.partner_code}`)).status).toBe(404);
  expect((await put(otherOmsKey)).status).toBe(201);
});
