import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { freshCode, pixPayout } from '../support/requests.js';
import { reachesStatus } from '../support/reaches-status.js';
import { waiting } from '../support/waiting.js';
import { startBulkRetryGateway, type BulkRetryGateway } from './bulk-retry-gateway.js';
import { call, omsKey, operatorKey } from './test-gateway.js';

/** Tags of the sandbox: it makes the payout and answers so. */
const refusals = ['400-after', '404-after', '422-after', '501-after'];
const others = ['401-after', '403-after', '403-html-after', '409-after', '429-after'];

let stack: BulkRetryGateway;
beforeAll(async () => {
  stack = await startBulkRetryGateway({ pollScale: 0.02 });
});
afterEach(() => stack.replay());
afterAll(() => stack.close());

const post = (path: string, key: string, body: object) =>
  call(stack.gateway.url, 'POST', path, { key, body });

/** What the service holds of these payouts, attempt by attempt. */
const made = (codes: readonly string[]) => {
  const held = stack.deployment.sandbox.ledger().payouts.map(({ partner_code: code }) => code);
  return codes.map((code) => held.filter((each) => each === code || each.startsWith(`${code}-r`)));
};

/** Payouts of one batch, one for each tag, each as soon as the service has made it. */
async function inABatch(tags: readonly string[]): Promise<string[]> {
  const payouts = tags.map((tag) => pixPayout(freshCode(), tag));
  const codes = payouts.map(({ partner_code: code }) => code);
  expect((await post('/v1/payout-batches', omsKey, { batch_id: `${freshCode()}b`, payouts })).status).toBe(
    202,
  );
  await stack.deployment.sandbox.until(() => made(codes).every(({ length }) => length > 0));
  return codes;
}

/** Until search shows all of them so, which is where a bulk retry looks. */
async function areShown(codes: readonly string[], status: string): Promise<void> {
  await Promise.all(codes.map((code) => reachesStatus(stack.payments.payout(code), status)));
  const shown = async () => (await stack.deployment.own.payoutsOf(codes, [])).map((own) => own.status);
  await expect.poll(shown, waiting).toEqual(codes.map(() => status));
}

const bulkRetried = async (codes: readonly string[], cause: 'refused' | 'service_error') => {
  const id = await stack.start({ filter: { partner_codes: [...codes], cause: [cause] } });
  await stack.until(id, ({ counts }) => counts.matched === codes.length && counts.pending === 0);
  return id;
};

test('payouts that the service makes and refuses all the same are found by a retry, and made once', async () => {
  const codes = await inABatch(refusals);
  await areShown(codes, 'rejected');
  const [first = '', ...rest] = codes;
  const retried = await post(`/v1/payouts/${first}/retry`, operatorKey, { reason: 'it was refused' });
  expect(retried).toMatchObject({ status: 409, body: { reason: 'AlreadyMoving' } });
  const id = await bulkRetried(rest, 'refused');
  expect((await stack.report(id)).map(({ outcome }) => outcome)).toEqual(rest.map(() => 'refused'));
  expect(made(codes)).toEqual(codes.map((code) => [code]));
});

test('payouts that the service makes and answers as if it had not are made once, by a batch and by a bulk retry', async () => {
  const codes = await inABatch(others);
  await areShown(codes, 'claimed');
  for (const code of codes) stack.deployment.sandbox.setPayoutStatus(code, 'error');
  await areShown(codes, 'error');

  const id = await bulkRetried(codes, 'service_error');
  await stack.deployment.sandbox.until(() => made(codes).every(({ length }) => length > 1));
  stack.settle(codes, 'done');
  await stack.finished(id);
  expect(made(codes)).toEqual(codes.map((code) => [code, `${code}-r2`]));
});
