import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAttackedGateway } from '../support/attacked-gateway.js';
import type { AttackedGateway } from '../support/attacked-gateway.js';

let gateway: AttackedGateway;
let order: { code: string; id: string };
let payout: string;
beforeAll(async () => {
  gateway = await startAttackedGateway();
  order = await gateway.paidOrder();
  payout = await gateway.failedPayout();
});
afterAll(() => gateway.close());

const lies = [
  ...[
    '{"status":"done"}',
    '{"status":"compensated","id":"1"}',
    '',
    'null',
    '<xml/>',
    '[]',
    '{"id":{"$gt":""}}',
  ],
  JSON.stringify({ payout: { id: '999', status: 'error', value: 0.01 }, order: { status: 'chargeback' } }),
];

test('an address without its proof is not there, whatever it is made of, and moves no money', async () => {
  const genuine = gateway.postbackPath(payout);
  const [id = '', proof = ''] = (genuine.split('/').at(-1) ?? '').split('.');
  const other = gateway.postbackPath(order.code).split('.').at(-1) ?? '';
  const forged = [
    `${id}.${other}`,
    `${id}.${proof.slice(0, -4)}AAAA`,
    id,
    `${id}.`,
    `.${proof}`,
    '..%2f..',
    'a',
  ];
  const payouts = gateway.calls('POST /v1/payout/pix');
  for (const capability of forged)
    for (const body of lies)
      expect((await gateway.postback(`/postbacks/${capability}`, body)).status).toBe(404);
  expect(gateway.calls('POST /v1/payout/pix')).toBe(payouts);
  expect(gateway.calls('PUT /v1/order/{id}/refund')).toBe(0);
  expect(gateway.ledgerOf(payout)).toEqual(['error']);
  expect(gateway.ledgerOf(order.code)).toEqual(['paid']);
});

test('a genuine address with any lie has the payment read, and moves no money', async () => {
  // A payment of its own for each: what is posted for one again and again waits ever longer.
  const attacked = await Promise.all(
    lies.map(async (body) => ({
      body,
      payout: await gateway.failedPayout(),
      order: (await gateway.paidOrder()).code,
    })),
  );
  const payouts = gateway.calls('POST /v1/payout/pix');
  await Promise.all(
    attacked.flatMap(({ body, payout, order }) =>
      [payout, order].map((code) => gateway.postback(gateway.postbackPath(code), body)),
    ),
  );
  for (const { payout, order } of attacked) {
    expect((await gateway.asOwner('GET', `/v1/payouts/${payout}`)).body).toMatchObject({ status: 'error' });
    expect((await gateway.asOwner('GET', `/v1/orders/${order}`)).body).toMatchObject({ status: 'paid' });
    expect(gateway.ledgerOf(payout)).toEqual(['error']);
    expect(gateway.ledgerOf(order)).toEqual(['paid']);
  }
  expect(gateway.calls('POST /v1/payout/pix')).toBe(payouts);
  expect(gateway.calls('PUT /v1/order/{id}/refund')).toBe(0);
});
