import { Client } from '@temporalio/client';
import type { PaymentState } from '../../src/contract/state.js';
import { attentionIs, statusIs } from '../support/payment.js';
import { test as payments } from '../support/payments.js';
import { cardOrder, freshCode, pixPayout } from '../support/requests.js';

const test = payments.extend('bare', ({ stack }) => {
  // As an OMS in Java or Go has it: plain payloads, types and messages by their names.
  const client = new Client({ connection: stack.env.connection });
  return {
    start: async (type: string, workflowId: string, input: object) => {
      await client.workflow.start(type, {
        workflowId,
        taskQueue: stack.taskQueue,
        workflowIdReusePolicy: 'REJECT_DUPLICATE',
        args: [input],
      });
      // Answers are encrypted; whoever holds the key reads them.
      return stack.payment<PaymentState>(workflowId);
    },
    /** Sends an Update. Its answer is encrypted, so only that it was accepted is seen. */
    command: (workflowId: string, name: string, message: object) =>
      client.workflow.getHandle(workflowId).startUpdate(name, { args: [message], waitForStage: 'ACCEPTED' }),
    signal: (workflowId: string, name: string, message: object) =>
      client.workflow.getHandle(workflowId).signal<[object]>(name, message),
  };
});

test('a payout is started, retried as Update and as Signal, and abandoned, in plain JSON', async ({
  bare,
  sandbox,
}) => {
  const code = freshCode();
  const id = `payout-${code}`;
  const handle = await bare.start('payout', id, pixPayout(code));
  for (const [attempt, retry] of [
    [
      '',
      () =>
        bare.command(id, 'retryPayout', {
          corrections: { pix: 'right@example.com' },
          by: 'oms',
          reason: 'a test',
        }),
    ],
    ['-r2', () => bare.signal(id, 'retryPayout', { by: 'oms', reason: 'a test' })],
    ['-r3', () => bare.command(id, 'abandonPayout', { reason: 'paid in cash', by: 'oms' })],
  ] as const) {
    await handle.until(statusIs('claimed'));
    sandbox.setPayoutStatus(code + attempt, 'error');
    await handle.until(statusIs('error'));
    await retry();
  }
  await handle.until(statusIs('abandoned'));
});

test('a card order is given its card, refunded and acknowledged, in plain JSON', async ({
  bare,
  orders,
  sandbox,
}) => {
  const code = freshCode();
  const id = `order-${code}`;
  const handle = await bare.start('cardOrder', id, cardOrder(code));
  await handle.until(statusIs('awaiting_card'), '1 second');
  await bare.command(id, 'provideCard', orders.cards.stored());
  const order = await handle.until(statusIs('waiting_payment'), '1 second');
  sandbox.setOrderStatus(code, 'paid');
  await bare.signal(id, 'postbackReceived', {
    received_at: new Date().toISOString(),
    content_type: null,
    body: '',
  });
  await handle.until(statusIs('paid'));

  const refund = await bare.start('refund', `refund-${String(order.service_id)}`, {
    partner_code: code,
    service_id: order.service_id,
  });
  await refund.until(statusIs('refund_processing'));

  sandbox.setOrderStatus(code, 'chargeback');
  await handle.until(attentionIs('chargeback'), '1 hour');
  await bare.command(id, 'acknowledgeAttention', {
    attention: 'chargeback',
    reason: 'disputed',
    by: 'oms',
  });
  await handle.until(attentionIs(null), '1 second');
});

test('a hosted checkout and an account validation are started in plain JSON', async ({ bare }) => {
  const code = freshCode();
  const { order, customer } = cardOrder(code);
  const { installments: _installments, ...hosted } = order;
  const checkout = await bare.start('hostedCheckout', `order-${code}`, {
    order: { ...hosted, redirect_url: 'https://shop.example.com/thanks' },
    customer,
  });
  await checkout.until(statusIs('waiting_payment'));

  const { document, first_name, last_name } = pixPayout(code);
  const validation = await bare.start('accountValidation', `account-validation-${code}`, {
    ...{ partner_code: code, first_name, last_name, document },
    ...{ bank_code: '341', account: '123456-7' },
  });
  await validation.until(statusIs('awaiting_answer'));
});

test('a 3D Secure order gives its token and is completed, in plain JSON', async ({
  bare,
  orders,
  sandbox,
}) => {
  const code = freshCode();
  const id = `order-${code}`;
  const { order, customer } = cardOrder(code);
  const { installments: _installments, ...secured } = order;
  const handle = await bare.start('threeDSecureOrder', id, { order: secured, customer });
  await handle.until(statusIs('awaiting_authentication'), '1 second');
  await bare.command(id, 'issueThreeDSecureToken', {});
  await bare.command(id, 'completeThreeDSecure', {
    callback: 'callback-data',
    eci: '05',
    card: orders.cards.stored(),
  });
  await sandbox.until(({ calls }) => calls['PUT /v1/3ds/order/{id}'] === 1);
  sandbox.setOrderStatus(code, 'paid');
  await handle.until(statusIs('paid'));
});

test('an unknown outcome is resolved, hinted at and waited for, in plain JSON', async ({ bare }) => {
  const code = freshCode();
  const id = `payout-${code}`;
  const payout = await bare.start('payout', id, pixPayout(code, 'dropped-before'));
  await payout.until(statusIs('submission_unknown'));
  await bare.signal(id, 'statusHint', { source: 'oms' });
  await bare.command(id, 'awaitStatus', { statuses: ['rejected'], timeout_seconds: 5 });
  await bare.command(id, 'resolveSubmission', { nothing_happened: true, reason: 'asked them', by: 'oms' });
  await payout.until(statusIs('rejected'), '1 second');
});

test.for([
  ['retried', 'retryRefund', { reason: 'balance is there', by: 'oms' }, 'refund_processing'],
  ['resolved', 'resolveRefund', { outcome: 'not_refunded', by: 'oms', reason: 'a test' }, 'resolved'],
] as const)(
  'a refused refund is %s in plain JSON',
  async ([, name, message, status], { bare, orders, sandbox }) => {
    const code = freshCode();
    const order = await bare.start('cardOrder', `order-${code}`, {
      ...cardOrder(code, 'Two tickets sandbox:refund-422'),
      card: orders.cards.stored(),
    });
    const { service_id } = await order.until(statusIs('waiting_payment'), '1 second');
    sandbox.setOrderStatus(code, 'paid');
    const id = `refund-${String(service_id)}`;
    const refund = await bare.start('refund', id, { partner_code: code, service_id });
    await refund.until(attentionIs('refund_failed'));
    await bare.command(id, name, message);
    await refund.until(statusIs(status));
  },
);
