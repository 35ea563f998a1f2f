import { expect, test } from 'vitest';
import type { PaymentsService } from '../../src/payments-service/payments-service.js';
import { answers, bodyOf, startRawServer } from './raw-server.js';
import { call, cardOrder, checkout, completion, pixPayout, serviceAt, validation } from './support.js';

const page = { page: 1, per_page: 30 };
const filtered = { page: 2, per_page: 50, status: 'claimed', payment_type: 'pix', from: '2026-01-01' };

const calls: [string, (service: PaymentsService) => Promise<unknown>, unknown][] = [
  ['POST /v1/order', (service) => service.createCardOrder(cardOrder, call), cardOrder],
  ['GET /v1/order/a%2Fb%3Fc', (service) => service.readOrder('a/b?c', call), undefined],
  ['PUT /v1/order/1/refund', (service) => service.requestRefund('1', call), undefined],
  ['PUT /v1/order/%2E%2E/refund', (service) => service.requestRefund('..', call), undefined],
  ['POST /v1/checkout', (service) => service.createCheckout(checkout, call), checkout],
  ['POST /v1/3ds/order', (service) => service.createThreeDSecureOrder(checkout, call), checkout],
  ['PUT /v1/3ds/order/7', (service) => service.completeThreeDSecureOrder('7', completion, call), completion],
  ['GET /v1/3ds/token', (service) => service.readThreeDSecureToken(call), undefined],
  ['POST /v1/payout/transfer', (service) => service.createTransferPayout(pixPayout, call), pixPayout],
  ['POST /v1/payout/pix', (service) => service.createPixPayout(pixPayout, call), pixPayout],
  ['GET /v1/payout/7', (service) => service.readPayout('7', call), undefined],
  ['GET /v1/payouts?page=1&per_page=30', (service) => service.listPayouts(page, call), undefined],
  [
    'GET /v1/payouts?page=2&per_page=50&status=claimed&payment_type=pix&from=2026-01-01',
    (service) => service.listPayouts(filtered, call),
    undefined,
  ],
  ['POST /v1/account/validate', (service) => service.validateAccount(validation, call), validation],
];

test.each(calls)('%s is called as documented, below the path of the base URL', async (line, make, body) => {
  const server = await startRawServer(answers(200, '{}'));
  await make(serviceAt(`${server.url}/base/`));
  const [request = ''] = server.requests;
  expect(server.requests).toHaveLength(1);
  expect(request.split('\r\n')[0]).toBe(`${line.replace(' ', ' /base')} HTTP/1.1`);
  expect(request).toContain('authorization: Bearer token-1-abcdefgh\r\n');
  expect(request.includes('content-type: application/json\r\n')).toBe(body !== undefined);
  if (body !== undefined) expect(bodyOf(request)).toEqual(body);
});

test('POST /v1/auth is called with Basic credentials and no body', async () => {
  const server = await startRawServer(answers(200, '{"token":"t"}'));
  await serviceAt(server.url).authenticate();
  const [request = ''] = server.requests;
  expect(request).toMatch(/^POST \/v1\/auth HTTP\/1\.1\r\n/);
  expect(request).toContain(`authorization: Basic ${btoa('client-1:secret-of-client-1')}\r\n`);
  expect(request).toMatch(/content-length: 0\r\n/);
});

test('an amount goes out as the exact decimal', async () => {
  const server = await startRawServer(answers(200, '{}'));
  await serviceAt(server.url).createPixPayout({ ...pixPayout, value: 99999999.99 }, call);
  expect(server.requests[0]).toContain('"value":99999999.99,');
});
