import { expect } from 'vitest';
import { test as base } from '../support/bulk-retries.js';
import { reachesStatus } from '../support/reaches-status.js';
import { freshCode, pixPayout } from '../support/requests.js';
import { omsKey, operatorKey } from './call.js';

const causes = ['refused', 'service_error', 'returned', 'never_sent', 'not_paid', 'account_invalid'];

const test = base
  /** A payout that an OMS has started and that the service refused, as search shows it too. */
  .extend('refused', ({ bulkRetries, payments, post }) => async () => {
    const code = freshCode();
    const { method: _method, ...body } = pixPayout(code, '422');
    expect((await post('/v1/payouts/pix', omsKey, body)).status).toBe(202);
    await reachesStatus(payments.payout(code), 'rejected');
    await bulkRetries.shown([code], 'rejected');
    return code;
  });

test('a payout that its OMS has given up is paid by no bulk retry, by no batch signal and by no retry of it', async ({
  bulkRetries,
  deployment,
  payments,
  post,
  refused,
}) => {
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
  await deployment.server.client.workflow
    .getHandle(`payout-${givenUp}`)
    .signal<[object]>('retryPayout', { corrections, by: 'ana', reason: 'wrong key' });

  // Whatever failed, for whatever cause, however long ago.
  const id = freshCode();
  const filter = { partner_codes: [givenUp, other], cause: causes, failed_after: '2000-01-01T00:00:00Z' };
  const all = { bulk_retry_id: id, reason: 'retry all', filter };
  expect((await post('/v1/bulk-retries', operatorKey, all)).status).toBe(202);
  await bulkRetries.until(id, ({ counts }) => counts.matched === 1 && counts.pending === 0);
  const report = await bulkRetries.report(id);
  expect(report.map(({ partner_code: code }) => code)).toEqual([other]);

  const { status, attempts } = await payments.payout(givenUp).state();
  expect({ status, attempts: attempts.length }).toEqual({ status: 'abandoned', attempts: 1 });
  const sent = deployment.sandbox.ledger().payouts.map(({ partner_code: code }) => code);
  expect(sent.filter((code) => code.startsWith(givenUp))).toEqual([]);
});
