import { expect } from 'vitest';
import {
  callerOf,
  cardOrder,
  pixPayout,
  sandbox,
  signedIn,
  validation,
  test,
  signedInAt,
} from './helpers.js';

test('statuses are set over HTTP, by id and by partner_code', async () => {
  const { call, service } = await signedInAt({ progress: 'manual' });
  const control = callerOf(service);
  service.postbacks('off');
  const { json } = await call('POST /v1/order', cardOrder());
  await call('POST /v1/payout/pix', pixPayout());
  await call('POST /v1/account/validate', validation());
  await control(`POST /sandbox/orders/${String(json.id)}/status`, { status: 'chargeback' });
  await control('POST /sandbox/payouts/p-1/status', { status: 'on_hold' });
  await control('POST /sandbox/validations/v-1/status', { status: 'valid' });
  const { json: ledger } = await control('GET /sandbox/ledger');
  expect(ledger).toEqual(JSON.parse(JSON.stringify(service.ledger())));
  expect(ledger).toMatchObject({
    orders: [{ status: 'chargeback' }],
    payouts: [{ status: 'on_hold' }],
    validations: [{ status: 'valid' }],
    totals: { charged: '10.50', charged_back: '10.50', paid_out: '0.00' },
  });
  expect((await control('POST /sandbox/payouts/p-2/status', { status: 'done' })).status).toBe(404);
  expect((await control('POST /sandbox/payouts/p-1/status', {})).status).toBe(422);
});

test('the ledger of one partner_code holds its records alone', async ({ service, call }) => {
  await call('POST /v1/payout/pix', pixPayout({ partner_code: 'a' }));
  await call('POST /v1/payout/pix', pixPayout({ partner_code: 'b' }));
  const { json } = await callerOf(service)('GET /sandbox/ledger?partner_code=b');
  expect(json).toMatchObject({ payouts: [{ partner_code: 'b' }], calls: { 'POST /v1/payout/pix': 2 } });
});

test('a fault armed over HTTP hits the next calls of its endpoint, and no more', async ({
  service,
  call,
  control,
}) => {
  const armed = { endpoint: 'GET /v1/payouts', fault: { status: 503, effect: 'none' }, times: 2 };
  expect((await control('POST /sandbox/faults', armed)).status).toBe(200);
  expect((await control('GET /sandbox/faults')).json).toEqual({ faults: [armed] });
  const statuses = [];
  for (let turn = 0; turn < 3; turn += 1) statuses.push((await call('GET /v1/payouts')).status);
  expect(statuses).toEqual([503, 503, 200]);
  expect(service.faults()).toEqual([]);
});

test('a fault armed by the name of a tag for one partner_code leaves others alone', async ({
  service,
  call,
}) => {
  service.fault({ endpoint: 'POST /v1/payout/pix', fault: '503-after', partner_code: 'b' });
  expect((await call('POST /v1/payout/pix', pixPayout({ partner_code: 'a' }))).status).toBe(200);
  expect((await call('POST /v1/payout/pix', pixPayout({ partner_code: 'b' }))).status).toBe(503);
  expect(service.ledger().payouts.map(({ partner_code }) => partner_code)).toEqual(['a', 'b']);
});

test('authentication and reads can fail as well', async ({ service, call }) => {
  service.fault({ endpoint: 'POST /v1/auth', fault: 'dropped-before' });
  await expect(signedIn(service)).rejects.toThrow();
  const { json } = await call('POST /v1/order', cardOrder());
  service.fault({ endpoint: 'GET /v1/order/{id}', fault: { reshape: ['id-other'] }, partner_code: 'o-1' });
  expect((await call(`GET /v1/order/${String(json.id)}`)).json.id).toBe('1');
  expect((await call(`GET /v1/order/${String(json.id)}`)).json.id).toBe(json.id);
});

test('a fault that does not exist is refused, and armed ones can be taken back', async ({
  service,
  control,
}) => {
  expect((await control('POST /sandbox/faults', { endpoint: 'GET /v1/other', fault: '503' })).status).toBe(
    422,
  );
  expect((await control('POST /sandbox/faults', { endpoint: 'POST /v1/auth', fault: 'denied' })).status).toBe(
    422,
  );
  expect(() => service.fault({ endpoint: 'POST /v1/auth', fault: 'nothing' })).toThrow();
  service.fault({ endpoint: 'POST /v1/auth', fault: '503' });
  await control('DELETE /sandbox/faults');
  expect(service.faults()).toEqual([]);
});

test('postbacks and the token are switched over HTTP', async () => {
  const { call, service } = await signedInAt({ progress: 'manual' });
  const control = callerOf(service);
  await control('POST /sandbox/postbacks', { postbacks: 'off' });
  await call('POST /v1/payout/pix', pixPayout());
  service.setPayoutStatus('p-1', 'done');
  expect(service.ledger().postbacks.sent).toBe(0);
  await control('POST /sandbox/token/expire');
  expect((await call('GET /v1/payouts')).status).toBe(401);
});

test('a reset forgets all but the token', async ({ service, call }) => {
  await call('POST /v1/payout/pix', pixPayout());
  service.fault({ endpoint: 'GET /v1/payouts', fault: '503' });
  await callerOf(service)('POST /sandbox/reset');
  expect(service.ledger()).toMatchObject({
    orders: [],
    payouts: [],
    calls: {},
    totals: { paid_out: '0.00' },
  });
  expect((await call('GET /v1/payouts')).status).toBe(200);
});

test('awaiting a ledger that never comes ends with the sandbox', async ({ service }) => {
  const awaited = service.until(({ orders }) => orders.length > 0);
  await Promise.all([expect(awaited).rejects.toThrow('closed'), service.close()]);
});

test.for([
  ['a page of another origin', { origin: 'http://evil.example' }],
  ['a page of another server of this machine', { origin: 'http://127.0.0.1:9' }],
  ['a page whose own name was made to lead here', { host: 'evil.example' }],
  [
    'a page of a neighbour whose own name was made to lead here',
    { host: 'printer', origin: 'http://printer' },
  ],
  ['a form of such a page', { host: 'evil.example:80', origin: 'http://evil.example:80' }],
] as const)('%s reads and controls nothing', async ([_, headers], { call, control: page, service }) => {
  await call('POST /v1/payout/pix', pixPayout());
  expect(await page('GET /sandbox/ledger', undefined, headers)).toMatchObject({
    status: 403,
    json: { error: { code: 'foreign_page' } },
  });
  expect((await page('POST /sandbox/reset', undefined, headers)).status).toBe(403);
  expect(service.ledger().payouts).toHaveLength(1);
});

test('a page of its own reads and controls it', async () => {
  const service = await sandbox({ names: ['payments-sandbox'] });
  const named = { host: 'payments-sandbox:8090', origin: 'http://payments-sandbox:8090' };
  expect((await callerOf(service)('POST /sandbox/reset', undefined, named)).status).toBe(200);
  const { host, origin } = new URL(service.url);
  expect((await callerOf(service)('POST /sandbox/reset', undefined, { host, origin })).status).toBe(200);
});
