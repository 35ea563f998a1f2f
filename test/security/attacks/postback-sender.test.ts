import { expect } from 'vitest';
import { postbackCapability } from '../../../src/contract/postback-capability.js';
import { postbackKey } from '../../gateway/call.js';
import { ownGateway } from '../../support/gateway-without-temporal.js';
import { test } from '../../support/plain-payments.js';

const lies = [
  ...['{"status":"done"}', '{"status":"compensated","id":"1"}', '', 'null', '<xml/>', '[]'],
  '{"id":{"$gt":""}}',
  JSON.stringify({ payout: { id: '999', status: 'error', value: 0.01 }, order: { status: 'chargeback' } }),
];

test('an address without its proof is not there, whatever it is made of, and costs no call', async () => {
  const asked: string[] = [];
  const temporal = new Proxy({}, { get: (_, call) => asked.push(String(call)) });
  const { call } = await ownGateway({}, temporal);
  const genuine = postbackCapability([postbackKey], 'payout-rent');
  const [id = '', proof = ''] = genuine.split('.');
  const [, other = ''] = postbackCapability([postbackKey], 'order-books').split('.');
  const [, ofOtherKey = ''] = postbackCapability([Buffer.alloc(32, 1)], 'payout-rent').split('.');
  const forged = [
    ...[`${id}.${other}`, `${id}.${ofOtherKey}`, `${id}.${proof.slice(0, -4)}AAAA`, `${genuine}.x`],
    ...[genuine.slice(0, -2), id, `${id}.`, `.${proof}`, '..%2f..', 'a', 'x'.repeat(500)],
  ];
  for (const capability of forged)
    for (const raw of lies)
      expect((await call('POST', `/postbacks/${capability}`, { key: null, raw })).status).toBe(404);
  expect(asked).toEqual([]);
  const { text } = await call('GET', '/metrics', { key: null });
  expect(text).toContain(`postbacks_total{outcome="forged"} ${String(forged.length * lies.length)}`);
});

test.for(lies)(
  'the lie %j has its payment read, and moves no money',
  async (lie, { order, payout, sandbox }) => {
    await payout.failed();
    await order.submitted();
    order.service.shows('paid');
    const creating = ['POST /v1/payout/pix', 'POST /v1/order', 'PUT /v1/order/{id}/refund'] as const;
    const calls = (names: readonly string[]) => names.map((name) => sandbox.ledger().calls[name] ?? 0);
    const before = calls(creating);
    const reads = calls(['GET /v1/payout/{id}', 'GET /v1/order/{id}']);
    for (const payment of [payout, order]) await payment.postback(lie);
    expect(await payout.after('1 minute')).toMatchObject({ status: 'error' });
    expect(await order.state()).toMatchObject({ status: 'paid', attention: null });
    expect(calls(creating)).toEqual(before);
    const [ofPayout = 0, ofOrder = 0] = calls(['GET /v1/payout/{id}', 'GET /v1/order/{id}']);
    expect([ofPayout > (reads[0] ?? 0), ofOrder > (reads[1] ?? 0)]).toEqual([true, true]);
  },
);
