import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freshCode, pixPayout } from '../support/requests.js';
import { startBulkRetryGateway, type BulkRetryGateway } from './bulk-retry-gateway.js';
import { call, omsKey, operatorKey } from './test-gateway.js';
import { reachesStatus } from '../support/reaches-status.js';

let stack: BulkRetryGateway;
beforeAll(async () => {
  stack = await startBulkRetryGateway();
});
afterEach(() => stack.replay());
afterAll(() => stack.close());

const post = (path: string, key: string, body: object) =>
  call(stack.gateway.url, 'POST', path, { key, body });
const causes = ['refused', 'service_error', 'returned', 'never_sent', 'not_paid', 'account_invalid'];

/** A payout that an OMS has started and that the service refused, as search shows it too. */
async function refused(): Promise<string> {
  const code = freshCode();
  const { method: _method, ...body } = pixPayout(code, '422');
  const started = await post('/v1/payouts/pix', omsKey, body);
  expect(started.status).toBe(202);
  await reachesStatus(stack.payments.payout(code), 'rejected');
  await expect
    .poll(async () => (await stack.deployment.own.payoutsOf([code], []))[0]?.status)
    .toBe('rejected');
  return code;
}

test('a payout that its OMS has given up is paid by no bulk retry, by no batch signal and by no retry of it', async () => {
  const [givenUp, other] = [await refused(), await refused()];
  const abandoned = await post(`/v1/payouts/${givenUp}/abandon`, omsKey, { reason: 'paid under a new code' });
  expect(abandoned).toMatchObject({ status: 200, body: { status: 'abandoned', attention: null } });

  const corrections = { pix: 'right@example.com' };
  const retried = await post(`/v1/payouts/${givenUp}/retry`, operatorKey, {
    attempt: 1,
    corrections,
    reason: 'still owed',
  });
  expect(retried).toMatchObject({ status: 409, body: { reason: 'NotParked' } });
  await stack.deployment.server.client.workflow
    .getHandle(`payout-${givenUp}`)
    .signal<[object]>('retryPayout', { corrections, by: 'ana', reason: 'wrong key' });

  // Whatever failed, for whatever cause, however long ago.
  const id = freshCode();
  const filter = { partner_codes: [givenUp, other], cause: causes, failed_after: '2000-01-01T00:00:00Z' };
  const all = { bulk_retry_id: id, reason: 'retry all', filter };
  expect((await post('/v1/bulk-retries', operatorKey, all)).status).toBe(202);
  await stack.until(id, ({ counts }) => counts.matched === 1 && counts.pending === 0);
  const report = await stack.report(id);
  expect(report.map(({ partner_code: code }) => code)).toEqual([other]);

  const { status, attempts } = await stack.payments.payout(givenUp).state();
  expect({ status, attempts: attempts.length }).toEqual({ status: 'abandoned', attempts: 1 });
  const sent = stack.deployment.sandbox.ledger().payouts.map(({ partner_code: code }) => code);
  expect(sent.filter((code) => code.startsWith(givenUp))).toEqual([]);
});
