import { expect } from 'vitest';
import { anyText, pixPayout, transferPayout, validation, type Caller, test, signedInAt } from './helpers.js';

test('a pix payout is claimed, processing and done, and each change is posted back', async ({
  service,
  call,
  receiver,
}) => {
  const { status, json } = await call('POST /v1/payout/pix', pixPayout({ notification_url: receiver.url }));
  expect([status, json]).toEqual([200, { id: anyText, status: 'claimed' }]);
  await receiver.atLeast(2);
  expect(receiver.statuses().sort()).toEqual(['done', 'processing']);
  const done = { id: json.id, status: 'done', partner_code: 'p-1', type: 'payout' };
  expect(receiver.received).toContainEqual(done);
  const read = await call(`GET /v1/payout/${String(json.id)}`);
  expect(read.json).toEqual({ id: json.id, status: 'done', value: 20.01 });
  expect(service.ledger().totals.paid_out).toBe('20.01');
});

test('a payout sent twice is paid twice, and the ledger shows it', async ({ service, call }) => {
  await call('POST /v1/payout/transfer', transferPayout());
  await call('POST /v1/payout/transfer', transferPayout());
  await service.until(({ totals }) => totals.paid_out === '40.02');
  expect(service.ledger('p-1').payouts).toMatchObject([
    { method: 'transfer', times_created: 2, status: 'done' },
    { method: 'transfer', times_created: 2, status: 'done' },
  ]);
});

test('the list holds the whole record, with an integer id', async ({ service, call }) => {
  const { json } = await call('POST /v1/payout/pix', pixPayout());
  await service.until(({ payouts }) => payouts[0]?.status === 'done');
  const list = await call('GET /v1/payouts');
  expect(list.json).toEqual({
    payouts: [
      {
        id: Number(json.id),
        partner_code: 'p-1',
        value: 20.01,
        fee: 0.5,
        tax: 0,
        payment_type: 'pix',
        kind: 'personal',
        total: 20.51,
        status: 'done',
        fee_payer: 'merchant',
        claimed_at: anyText,
        paid_at: anyText,
        provider: 'sandbox',
      },
    ],
    total_pages: 1,
    current_page: 1,
    per_page: 30,
  });
});

test('the list is filtered, sorted and cut into pages', async () => {
  const { call, service } = await signedInAt({ progress: 'manual' });
  for (const code of ['a', 'b', 'c']) await call('POST /v1/payout/pix', pixPayout({ partner_code: code }));
  await call('POST /v1/payout/transfer', transferPayout({ partner_code: 'd' }));
  service.setPayoutStatus('b', 'done');
  expect(await codes(call, '')).toEqual(['d', 'c', 'b', 'a']);
  expect(await codes(call, 'direction=asc')).toEqual(['a', 'b', 'c', 'd']);
  expect(await codes(call, 'direction=asc&per_page=3&page=2')).toEqual(['d']);
  expect(await codes(call, 'per_page=3&page=3')).toEqual([]);
  expect(await codes(call, 'status=claimed')).toEqual(['d', 'c', 'a']);
  expect(await codes(call, 'payment_type=transfer')).toEqual(['d']);
  expect(await codes(call, 'sort=paid_at')).toEqual(['b', 'd', 'c', 'a']);
  expect(await codes(call, 'payout_method=pix')).toEqual([]);
  expect(await codes(call, 'from=2999-01-01T00:00:00Z')).toEqual([]);
  expect(await codes(call, 'from=2020-01-01&to=2999-01-01')).toEqual(['d', 'c', 'b', 'a']);
  expect((await call('GET /v1/payouts?per_page=3')).json.total_pages).toBe(2);
});

test('the list refuses a query that the document does not allow', async ({ call }) => {
  for (const query of ['per_page=201', 'page=0', 'sort=value', 'direction=up', 'from=yesterday']) {
    expect([query, (await call(`GET /v1/payouts?${query}`)).status]).toEqual([query, 422]);
  }
});

test('an account validation is answered by postback', async ({ service, call, receiver }) => {
  const good = await call('POST /v1/account/validate', validation({ notification_url: receiver.url }));
  expect(good.json).toEqual({ id: anyText, status: 'processing' });
  await receiver.atLeast(1);
  const bad = { partner_code: 'v-2', account: '90000005', notification_url: receiver.url };
  await call('POST /v1/account/validate', validation(bad));
  await receiver.atLeast(2);
  expect(receiver.received).toEqual([
    { id: good.json.id, status: 'valid', partner_code: 'v-1', type: 'account_validation' },
    { id: anyText, status: 'invalid', partner_code: 'v-2', type: 'account_validation' },
  ]);
  expect(service.ledger().validations.map(({ status }) => status)).toEqual(['valid', 'invalid']);
});

async function codes(call: Caller, query: string): Promise<string[]> {
  const { json } = await call(`GET /v1/payouts?${query}`);
  return (json.payouts as { partner_code: string }[]).map(({ partner_code }) => partner_code);
}
