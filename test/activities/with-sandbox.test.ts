import { expect, onTestFinished, test } from 'vitest';
import {
  createActivities,
  createCardStoreActivities,
  createScanningActivities,
} from '../../activities/index.js';
import { startSandbox } from '../../src/dev/sandbox/server.js';
import { createPaymentsService } from '../../src/payments-service/create-payments-service.js';
import {
  cardOn,
  depsFor,
  firstDispatch,
  orderInput,
  pixPayout,
  runId,
  sendOnceInput,
  sendsCard,
  transferInput,
} from './support.js';

const account = { clientId: 'shop', clientSecret: 'sandbox-secret' };

async function withSandbox() {
  const sandbox = await startSandbox({ ...account, progress: 'manual' });
  sandbox.postbacks('off');
  const service = createPaymentsService({ baseUrl: sandbox.url, ...account });
  onTestFinished(async () => {
    await service.close();
    await sandbox.close();
  });
  const issued = await service.authenticate();
  if (issued.outcome !== 'answered') throw new Error('The sandbox issued no token.');
  const deps = {
    ...depsFor(sandbox.url),
    service,
    tokens: {
      current: () => Promise.resolve({ token: issued.value.token, generation: 1 }),
      reject: () => Promise.resolve(),
    },
  };
  return {
    sandbox,
    cardStore: deps.cardStore,
    ...createActivities(deps),
    ...createScanningActivities(deps),
    ...createCardStoreActivities(deps),
  };
}

test('payouts of both methods are created, read and found', async () => {
  const { sandbox, createPixPayout, createTransferPayout, readPayout, findPayouts } = await withSandbox();
  const pix = await firstDispatch().run(createPixPayout, pixPayout);
  const transfer = await firstDispatch().run(createTransferPayout, {
    ...sendOnceInput,
    payout: transferInput,
    corrections: null,
    attempt: 1,
    decided_at: new Date().toISOString(),
    scan_begun_at: null,
  });
  if (pix.outcome !== 'answered' || pix.service_id === null) throw new Error('The pix payout was not taken.');
  expect(transfer).toMatchObject({ outcome: 'answered' });

  sandbox.setPayoutStatus('salary-1', 'done');
  const reading = await firstDispatch().run(readPayout, {
    service_id: pix.service_id,
    original_execution_run_id: runId,
    asked_at: Date.now(),
  });
  expect(reading).toMatchObject({ service_id: pix.service_id, status: 'done', value_centavos: 123_450 });

  const not_before = new Date(Date.now() - 900_000).toISOString();
  const scan = await firstDispatch().run(findPayouts, { partner_codes: ['salary-1'], not_before });
  expect(scan.found).toMatchObject([{ service_id: pix.service_id, partner_code: 'salary-1' }]);
});

test('a card order is charged once, read and refunded', async () => {
  const { sandbox, cardStore, createCardOrder, readOrder, requestRefund } = await withSandbox();
  const input = { ...sendsCard(cardOn(cardStore)), order: orderInput };
  const created = await firstDispatch().run(createCardOrder, input);
  const again = await firstDispatch({ attempt: 2 }).run(createCardOrder, input);
  if (created.outcome !== 'answered' || created.service_id === null) throw new Error('It was not taken.');
  expect(again).toMatchObject({ outcome: 'unknown' });

  sandbox.setOrderStatus('order-1', 'paid');
  const service_id = created.service_id;
  expect(await firstDispatch().run(readOrder, { ...sendOnceInput, service_id, asked_at: 0 })).toMatchObject({
    service_id,
    status: 'paid',
  });
  const refund = await firstDispatch().run(requestRefund, { ...sendOnceInput, service_id });
  expect(refund).toMatchObject({ outcome: 'answered', status: 'refund_processing' });
  expect(sandbox.ledger('order-1').orders).toMatchObject([{ times_created: 1 }]);
});

test('a 3D Secure order is opened, authenticated and completed', async () => {
  const { cardStore, createThreeDSecureOrder, readThreeDSecureToken, completeThreeDSecureOrder } =
    await withSandbox();
  const opened = await firstDispatch().run(createThreeDSecureOrder, { ...sendOnceInput, order: orderInput });
  if (opened.outcome !== 'answered' || opened.service_id === null) throw new Error('It was not taken.');
  const { token } = await firstDispatch().run(readThreeDSecureToken);
  expect(token).not.toBe('');
  const completed = await firstDispatch().run(completeThreeDSecureOrder, {
    ...sendsCard(cardOn(cardStore)),
    service_id: opened.service_id,
    callback: 'authenticated',
    eci: '05',
  });
  expect(completed).toMatchObject({ outcome: 'answered' });
});

test('a checkout and an account validation are taken', async () => {
  const { createCheckout, validateAccount } = await withSandbox();
  const order = {
    ...orderInput,
    order: { ...orderInput.order, redirect_url: 'https://shop.example/thanks' },
  };
  const checkout = await firstDispatch().run(createCheckout, { ...sendOnceInput, order });
  expect(checkout).toMatchObject({ outcome: 'answered', answer: expect.any(Object) as object });
  const validation = await firstDispatch().run(validateAccount, {
    ...sendOnceInput,
    validation: {
      partner_code: 'check-1',
      first_name: 'Maria',
      last_name: 'Silva',
      document: '52998224725',
      bank_code: '001',
      account: '12345',
    },
  });
  expect(validation).toMatchObject({ outcome: 'answered' });
});
