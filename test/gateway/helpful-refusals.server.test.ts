import { afterAll, beforeAll, expect, test } from 'vitest';
import { pixPayout } from './requests.js';
import { startTestGateway, type TestGateway } from './test-gateway.js';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

test('a conflict names the fields that differ, and none of their contents', async () => {
  const payout = pixPayout();
  await gateway.call('POST', '/v1/payouts/pix', { body: payout });
  const other = { ...payout, value: 99.5, first_name: 'Somebody' };
  const { status, body } = await gateway.call('POST', '/v1/payouts/pix', { body: other });
  expect(status).toBe(409);
  expect(body.detail).toContain('differ in first_name, value.');
  expect(body.detail).not.toContain('Somebody');
});

test.each([
  ['/v1/payouts?status=erro', 'status'],
  ['/v1/orders?status=compensatd', 'status'],
  ['/v1/payouts/any?until=doen', 'until'],
])('a status that no payment can have is refused with those it can have (%s)', async (path, field) => {
  const { status, body } = await gateway.call('GET', path);
  expect(status).toBe(400);
  expect(body.errors[0]?.field).toBe(field);
  expect(body.errors[0]?.message).toContain('compensated');
});

test('a refund status of the service’s own making may be asked for', async () => {
  expect((await gateway.call('GET', '/v1/orders?status=refund_pending')).status).toBe(200);
});
