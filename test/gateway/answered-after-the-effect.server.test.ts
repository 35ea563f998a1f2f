import { expect } from 'vitest';
import { test as base } from '../support/bulk-retries.js';
import { reachesStatus } from '../support/reaches-status.js';
import { freshCode, pixPayout } from '../support/requests.js';
import { omsKey, operatorKey } from './call.js';

/** Tags of the sandbox: it makes the payout and answers so. */
const refusals = ['400-after', '404-after', '422-after', '501-after'];
const others = ['401-after', '403-after', '403-html-after', '409-after', '429-after'];

const test = base
  /** What the service holds of these payouts, attempt by attempt. */
  .extend('made', ({ sandbox }) => (codes: readonly string[]) => {
    const held = sandbox.ledger().payouts.map(({ partner_code: code }) => code);
    return codes.map((code) => held.filter((each) => each === code || each.startsWith(`${code}-r`)));
  })
  /** Payouts of one batch, one for each tag, each as soon as the service has made it. */
  .extend('inABatch', ({ made, post, sandbox }) => async (tags: readonly string[]) => {
    const payouts = tags.map((tag) => pixPayout(freshCode(), tag));
    const codes = payouts.map(({ partner_code: code }) => code);
    const batch = { batch_id: `${freshCode()}b`, payouts };
    expect((await post('/v1/payout-batches', omsKey, batch)).status).toBe(202);
    await sandbox.until(() => made(codes).every(({ length }) => length > 0));
    return codes;
  })
  /** Until search shows all of them so, which is where a bulk retry looks. */
  .extend('areShown', ({ bulkRetries, payments }) => async (codes: readonly string[], status: string) => {
    await Promise.all(codes.map((code) => reachesStatus(payments.payout(code), status)));
    await bulkRetries.shown(codes, status);
  })
  .extend(
    'bulkRetried',
    ({ bulkRetries }) =>
      async (codes: readonly string[], cause: 'refused' | 'service_error') => {
        const id = await bulkRetries.start({ filter: { partner_codes: [...codes], cause: [cause] } });
        await bulkRetries.until(id, ({ counts }) => counts.matched === codes.length && counts.pending === 0);
        return id;
      },
  );
test.override('deploymentOptions', { scope: 'file' }, { gateway: { pollScale: 0.02 } });

test('payouts that the service makes and refuses all the same are found by a retry, and made once', async ({
  areShown,
  bulkRetried,
  bulkRetries,
  inABatch,
  made,
  post,
}) => {
  const codes = await inABatch(refusals);
  await areShown(codes, 'rejected');
  const [first = '', ...rest] = codes;
  const retried = await post(`/v1/payouts/${first}/retry`, operatorKey, { reason: 'it was refused' });
  expect(retried).toMatchObject({ status: 409, body: { reason: 'AlreadyMoving' } });
  const id = await bulkRetried(rest, 'refused');
  expect((await bulkRetries.report(id)).map(({ outcome }) => outcome)).toEqual(rest.map(() => 'refused'));
  expect(made(codes)).toEqual(codes.map((code) => [code]));
});

test('payouts that the service makes and answers as if it had not are made once, by a batch and by a bulk retry', async ({
  areShown,
  bulkRetried,
  bulkRetries,
  inABatch,
  made,
  sandbox,
}) => {
  const codes = await inABatch(others);
  await areShown(codes, 'claimed');
  for (const code of codes) sandbox.setPayoutStatus(code, 'error');
  await areShown(codes, 'error');

  const id = await bulkRetried(codes, 'service_error');
  await sandbox.until(() => made(codes).every(({ length }) => length > 1));
  bulkRetries.settle(codes, 'done');
  await bulkRetries.finished(id);
  expect(made(codes)).toEqual(codes.map((code) => [code, `${code}-r2`]));
});
