import { expect } from 'vitest';
import { test } from './support/deployment.js';
import { pixPayout } from './support/oms.js';

test.override('settings', { scope: 'file' }, { SCAN_BEFORE_SEND: 'always' });

test('with SCAN_BEFORE_SEND=always a payout is sent once, although a restored Temporal has forgotten that it was', async ({
  deployment,
}) => {
  await Promise.all([deployment.worker(), deployment.gateway()]);
  const { oms, sandbox } = deployment;
  const pay = async () => {
    await oms.post('/v1/payouts/pix', pixPayout('after-a-restore'));
    return oms.until('/v1/payouts/after-a-restore', 'done', 'submission_unknown', 'rejected');
  };
  const first = await pay();
  expect(first.timeline.map(({ what }) => what)).toEqual(
    expect.arrayContaining([expect.stringContaining('SCAN_BEFORE_SEND is always')]),
  );

  await deployment.forget('payout-after-a-restore');
  expect(await pay()).toMatchObject({ status: 'done', attention: null });
  const { payouts, calls } = sandbox.ledger();
  expect(payouts).toMatchObject([{ partner_code: 'after-a-restore', status: 'done', times_created: 1 }]);
  expect(calls['POST /v1/payout/pix']).toBe(1);
});
