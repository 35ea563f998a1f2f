import { Client, type WorkflowHandle } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, test } from 'vitest';
import type { PaymentState } from '../../src/contract/state.js';
import { startPaymentRig, type PaymentRig } from '../support/payment-rig.js';
import { cardOrder, freshCode, pixPayout, testCard } from '../support/requests.js';

let rig: PaymentRig;
/** As an OMS in Java or Go has it: plain payloads, types and messages by their names. */
let bare: Client;
beforeAll(async () => {
  rig = await startPaymentRig();
  bare = new Client({ connection: rig.env.connection });
});
afterEach(() => rig.finish('all'));
afterAll(() => rig.close());

async function start(type: string, workflowId: string, input: object): Promise<WorkflowHandle> {
  await bare.workflow.start(type, {
    workflowId,
    taskQueue: rig.taskQueue,
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    args: [input],
  });
  // Answers are encrypted; whoever holds the key reads them.
  return rig.handle(workflowId);
}

/** Sends an Update in plain JSON. Its answer is encrypted, so only that it was accepted is seen. */
const command = (workflowId: string, name: string, message: object) =>
  bare.workflow.getHandle(workflowId).startUpdate(name, { args: [message], waitForStage: 'ACCEPTED' });

const card = () => {
  const { card_ref, task_queue } = rig.cardStore.put(testCard);
  return { card_ref, task_queue };
};
const statusIs = (status: string) => (state: PaymentState) => state.status === status;

test('a payout is started, retried as Update and as Signal, and abandoned, in plain JSON', async () => {
  const code = freshCode();
  const id = `payout-${code}`;
  const handle = await start('payout', id, pixPayout(code));
  for (const [attempt, retry] of [
    ['', () => command(id, 'retryPayout', { corrections: { pix: 'right@example.com' }, by: 'oms' })],
    ['-r2', () => bare.workflow.getHandle(id).signal('retryPayout', { by: 'oms' })],
    ['-r3', () => command(id, 'abandonPayout', { reason: 'paid in cash', by: 'oms' })],
  ] as const) {
    await rig.until(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(code + attempt, 'error');
    await rig.until(handle, statusIs('error'));
    await retry();
  }
  await rig.until(handle, statusIs('abandoned'));
});

test('a card order is given its card, refunded and acknowledged, in plain JSON', async () => {
  const code = freshCode();
  const id = `order-${code}`;
  const handle = await start('cardOrder', id, cardOrder(code));
  await rig.until(handle, statusIs('awaiting_card'), '1 second');
  await command(id, 'provideCard', card());
  const order = await rig.until(handle, statusIs('waiting_payment'), '1 second');
  rig.sandbox.setOrderStatus(code, 'paid');
  await bare.workflow.getHandle(id).signal('postbackReceived', {
    received_at: new Date().toISOString(),
    content_type: null,
    body: '',
  });
  await rig.until(handle, statusIs('paid'));

  const refund = await start('refund', `refund-${String(order.service_id)}`, {
    partner_code: code,
    service_id: order.service_id,
  });
  await rig.until(refund, statusIs('refund_processing'));

  rig.sandbox.setOrderStatus(code, 'chargeback');
  await rig.until(handle, (state: PaymentState) => state.attention === 'chargeback', '1 hour');
  await command(id, 'acknowledgeAttention', { reason: 'disputed', by: 'oms' });
  await rig.until(handle, (state: PaymentState) => state.attention === null, '1 second');
});

test('a hosted checkout and an account validation are started in plain JSON', async () => {
  const code = freshCode();
  const { order, customer } = cardOrder(code);
  const { installments: _installments, ...hosted } = order;
  const checkout = await start('hostedCheckout', `order-${code}`, {
    order: { ...hosted, redirect_url: 'https://shop.example.com/thanks' },
    customer,
  });
  await rig.until(checkout, statusIs('waiting_payment'));

  const { document, first_name, last_name } = pixPayout(code);
  const validation = await start('accountValidation', `account-validation-${code}`, {
    ...{ partner_code: code, first_name, last_name, document },
    ...{ bank_code: '341', account: '123456-7' },
  });
  await rig.until(validation, statusIs('awaiting_answer'));
});

test('a 3D Secure order gives its token and is completed, in plain JSON', async () => {
  const code = freshCode();
  const id = `order-${code}`;
  const { order, customer } = cardOrder(code);
  const { installments: _installments, ...secured } = order;
  const handle = await start('threeDSecureOrder', id, { order: secured, customer });
  await rig.until(handle, statusIs('awaiting_authentication'), '1 second');
  await command(id, 'issueThreeDSecureToken', {});
  await command(id, 'completeThreeDSecure', {
    callback: 'callback-data',
    eci: '05',
    card: card(),
  });
  await rig.sandbox.until(({ calls }) => calls['PUT /v1/3ds/order/{id}'] === 1);
  rig.sandbox.setOrderStatus(code, 'paid');
  await rig.until(handle, statusIs('paid'));
});

test('what is in doubt is resolved, hinted at and waited for, in plain JSON', async () => {
  const code = freshCode();
  const id = `payout-${code}`;
  const payout = await start('payout', id, pixPayout(code, 'dropped-before'));
  await rig.until(payout, statusIs('submission_unknown'));
  await bare.workflow.getHandle(id).signal('statusHint', { source: 'oms' });
  await command(id, 'awaitStatus', { statuses: ['rejected'], timeout_seconds: 5 });
  await command(id, 'resolveSubmission', { nothing_happened: true, reason: 'asked them', by: 'oms' });
  await rig.until(payout, statusIs('rejected'), '1 second');
});

test.for([
  ['retried', 'retryRefund', { reason: 'balance is there', by: 'oms' }, 'refund_processing'],
  ['resolved', 'resolveRefund', { outcome: 'not_refunded', by: 'oms' }, 'resolved'],
] as const)('a refused refund is %s in plain JSON', async ([, name, message, status]) => {
  const code = freshCode();
  const order = await start('cardOrder', `order-${code}`, {
    ...cardOrder(code, 'Two tickets sandbox:refund-422'),
    card: card(),
  });
  const { service_id } = await rig.until(order, statusIs('waiting_payment'), '1 second');
  rig.sandbox.setOrderStatus(code, 'paid');
  const id = `refund-${String(service_id)}`;
  const refund = await start('refund', id, { partner_code: code, service_id });
  await rig.until(refund, (state: PaymentState) => state.attention === 'refund_failed');
  await command(id, name, message);
  await rig.until(refund, statusIs(status));
});
