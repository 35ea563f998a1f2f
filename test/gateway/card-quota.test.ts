import { afterAll, beforeAll, expect, test } from 'vitest';
import { CardStore } from '../../src/card-store/card-store.js';
import { card, cardOrder } from './requests.js';
import { otherOmsKey, startRig } from './rig.js';
import type { Rig } from './rig.js';

let rig: Rig;
beforeAll(async () => {
  const limits = { maxCards: 100, maxCardsPerKey: 3, lifeMs: 60_000 };
  rig = await startRig({ cardStore: new CardStore('card-desk-of-quotas', limits) });
});
afterAll(() => rig.close());

test('an API key with too many cards gets 429 and nothing is kept; others still get 201', async () => {
  const put = (key?: string) => rig.call('POST', '/v1/cards', { body: card(), ...(key && { key }) });
  for (const _ of [1, 2, 3]) expect((await put()).status).toBe(201);
  const refused = await put();
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'retry-after': '60' },
    body: { type: 'urn:durable-payments:problem:too-many-cards' },
  });
  expect(refused.body.detail).toContain('Nothing was kept');
  const order = cardOrder();
  expect((await rig.call('POST', '/v1/orders/card', { body: order })).status).toBe(429);
  expect((await rig.call('GET', `/v1/orders/${order.order.partner_code}`)).status).toBe(404);
  expect((await put(otherOmsKey)).status).toBe(201);
});
