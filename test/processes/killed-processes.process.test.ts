import { expect, test, vi } from 'vitest';
import type { TestContext } from 'vitest';
import { deploy } from './support/deployment.js';
import type { Deployment } from './support/deployment.js';
import { cardOrder, checkout, pixPayout } from './support/oms.js';
import { longTests, waiting } from '../support/waiting.js';
import { accept, startWebhookReceiver } from '../support/webhook-receiver.js';

// Temporal notices a lost worker by the bound of a creating activity, 75 s: the tests wait for that side by side.
vi.setConfig(longTests);

async function deployForTest(
  finished: TestContext['onTestFinished'],
  settings?: Readonly<Record<string, string>>,
): Promise<Deployment> {
  const deployment = await deploy(settings);
  finished(() => deployment.close());
  return deployment;
}

test.concurrent(
  'worker and gateway killed while each is sending: the payout is done, the order needs an operator, nothing is sent twice',
  async ({ onTestFinished: finished }) => {
    const deployment = await deployForTest(finished);
    const { oms, sandbox } = deployment;
    const payout = pixPayout('sent-by-the-dead', { pix: 'sandbox+hang@example.com' });
    const order = cardOrder('charged-by-the-dead', { description: 'Two tickets sandbox:hang' });
    const [worker, gateway] = await Promise.all([deployment.worker(), deployment.gateway()]);
    await Promise.all([oms.post('/v1/payouts/pix', payout), oms.post('/v1/orders/card', order)]);
    await sandbox.until(({ payouts, orders }) => payouts.length === 1 && orders.length === 1);
    await Promise.all([worker.end('SIGKILL'), gateway.end('SIGKILL')]);
    await Promise.all([deployment.worker(), deployment.gateway()]);

    const [payoutEnd, orderEnd] = await Promise.all([
      oms.until('/v1/payouts/sent-by-the-dead', 'done', 'submission_unknown', 'rejected'),
      oms.until('/v1/orders/charged-by-the-dead', 'submission_unknown', 'rejected'),
    ]);
    expect(payoutEnd).toMatchObject({ status: 'done', attention: null });
    expect(orderEnd).toMatchObject({ status: 'submission_unknown', attention: 'submission_unknown' });

    const repeated = await oms.post('/v1/orders/card', order);
    expect(repeated).toMatchObject({ status: 200, body: { status: 'submission_unknown' } });
    const { payouts, orders } = sandbox.ledger();
    expect(payouts).toMatchObject([{ partner_code: 'sent-by-the-dead', status: 'done' }]);
    expect(orders).toMatchObject([{ partner_code: 'charged-by-the-dead', times_submitted: 1 }]);
  },
);

test.concurrent(
  'a worker killed before it sends: the next one sends, once, and no operator is needed',
  async ({ onTestFinished: finished }) => {
    const deployment = await deployForTest(finished);
    const { oms, sandbox } = deployment;
    // The call is taken, and waits for its token.
    sandbox.fault({ endpoint: 'POST /v1/auth', fault: 'hang-before', times: 100 });
    const [worker] = await Promise.all([deployment.worker(), deployment.gateway()]);
    await oms.post('/v1/orders/checkout', checkout('unsent-by-the-dead'));
    const isTaken = async () => {
      const { pendingActivities } = (await deployment.described('order-unsent-by-the-dead')) ?? {};
      return pendingActivities?.some(({ lastStartedTime }) => lastStartedTime != null) === true;
    };
    await vi.waitUntil(isTaken, waiting);
    await worker.end('SIGKILL');
    sandbox.clearFaults();
    await deployment.worker();

    const open = await oms.until('/v1/orders/unsent-by-the-dead', 'waiting_payment', 'submission_unknown');
    expect(open).toMatchObject({ status: 'waiting_payment', attention: null });
    expect(sandbox.ledger().orders).toMatchObject([{ partner_code: 'unsent-by-the-dead' }]);
  },
);

test.concurrent(
  'a gateway killed with a card at its card store: the order awaits a card, and the same request again pays it, once',
  async ({ onTestFinished: finished }) => {
    const deployment = await deployForTest(finished);
    const { oms, sandbox } = deployment;
    const order = cardOrder('lost-card');
    const gateway = await deployment.gateway();
    // No worker yet: nothing has fetched the card when it is lost.
    expect(await oms.post('/v1/orders/card', order)).toMatchObject({ status: 202 });
    await gateway.end('SIGKILL');
    await Promise.all([deployment.worker(), deployment.gateway()]);

    const unpaid = await oms.until('/v1/orders/lost-card', 'awaiting_card', 'submission_unknown');
    expect(unpaid).toMatchObject({ status: 'awaiting_card', attention: 'awaiting_card' });
    expect(sandbox.ledger().orders).toEqual([]);

    expect(await oms.post('/v1/orders/card', order)).toMatchObject({ status: 200 });
    const paid = await oms.until('/v1/orders/lost-card', 'compensated');
    expect(paid).toMatchObject({ attention: null });
    expect(sandbox.ledger().orders).toMatchObject([{ times_submitted: 1, times_charged: 1 }]);
  },
);

test.concurrent(
  'a gateway stopped while it is sending finishes the call, and leaves',
  async ({ onTestFinished: finished }) => {
    const deployment = await deployForTest(finished);
    const { oms, sandbox } = deployment;
    const [, gateway] = await Promise.all([deployment.worker(), deployment.gateway()]);
    await oms.post('/v1/orders/card', cardOrder('last-words', { description: 'Tickets sandbox:slow' }));
    await sandbox.until(({ orders }) => orders.length === 1);
    expect(await gateway.end('SIGTERM')).toEqual({ code: 0, signal: null });

    await deployment.gateway();
    const state = await oms.until('/v1/orders/last-words', 'compensated');
    expect(state).toMatchObject({ attention: null });
    expect(sandbox.ledger().orders).toMatchObject([{ times_submitted: 1, times_charged: 1 }]);
  },
);

test.concurrent(
  'a worker killed while it notifies the OMS: the next one notifies it again under the same id, and the rest in order',
  async ({ onTestFinished: finished }) => {
    const receiver = await startWebhookReceiver();
    const deployment = await deployForTest(finished, {
      NOTIFY_TARGETS: `shop=${receiver.url}`,
      NOTIFY_SECRETS: `shop=${receiver.secret}`,
      NOTIFY_PRIVATE_TARGETS: 'shop',
    });
    finished(() => receiver.close());
    const called = new Promise<void>((resolve) => {
      // Taken, and never answered.
      receiver.answerBy(() => {
        resolve();
      });
    });
    const { oms, sandbox } = deployment;
    const [worker] = await Promise.all([deployment.worker(), deployment.gateway()]);
    const payout = pixPayout('notified-by-the-dead', { pix: 'sandbox+stuck@example.com' });
    await oms.post('/v1/payouts/pix', { ...payout, notify: { webhook: 'shop' } });
    await called;
    await worker.end('SIGKILL');
    receiver.answerBy(accept);
    await deployment.worker();

    sandbox.setPayoutStatus('notified-by-the-dead', 'done');
    await oms.until('/v1/payouts/notified-by-the-dead', 'done');
    await vi.waitUntil(() => receiver.received.at(-1)?.notification.payment.status === 'done', waiting);
    const [first, again] = receiver.received;
    expect(again?.id).toBe(first?.id);
    const delivered = receiver.received.slice(1).map(({ notification }) => notification);
    expect(delivered.map(({ sequence }) => sequence)).toEqual(delivered.map((_, at) => at + 1));
  },
);
