import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { orderState } from '../../src/contract/state.js';
import { cardOrder as gatewayOrder } from '../gateway/requests.js';
import { startTestGateway } from '../gateway/test-gateway.js';
import { cardOrder, checkout, secrets } from '../processes/support/oms.js';
import { testPayloadKeys } from '../support/temporal-data-converter.js';
import { run } from './support/command-line.js';
import { servedForAllTests } from './support/served.js';

const { operator, oms } = await servedForAllTests();

async function file(name: string, request: object): Promise<string> {
  const path = join(operator.dir, `${name}.json`);
  await writeFile(path, JSON.stringify(request));
  return path;
}

function withoutCard(code: string) {
  const { order, customer } = cardOrder(code);
  return { order, customer };
}

const account = {
  ...{ first_name: 'Ana', last_name: 'Lima', document: secrets.document },
  ...{ bank_code: '341', account: '12345-6' },
};

test('a hosted checkout is started from a file, and prints where the customer pays', async () => {
  const request = await file('checkout', checkout('by-checkout'));
  const started = await operator.cli('order', 'start', request, '--way', 'checkout', '--json');
  expect(started.code).toBe(0);
  const state = orderState.parse(JSON.parse(started.output));
  expect(state).toMatchObject({ kind: 'hosted_checkout', status: 'waiting_payment' });
  const again = await operator.cli('order', 'start', request, '--way', 'checkout');
  expect(again.code).toBe(0);
  expect(again.output).toContain(`customer pays at  ${state.checkout?.url ?? ''}`);
});

test('a 3D Secure order is started from a file, and waits for the customer to authenticate', async () => {
  const started = await operator.cli(
    ...['order', 'start', await file('3ds', withoutCard('by-3ds')), '--way', '3ds', '--json'],
  );
  expect(started.code).toBe(0);
  expect(JSON.parse(started.output)).toMatchObject({ status: 'awaiting_authentication' });
});

test('a card order is started from a file that names where its card waits', async () => {
  const { body } = await oms.post('/v1/cards', cardOrder('by-card').credit_card);
  const card = z.object({ card_ref: z.string(), task_queue: z.string() }).parse(body);
  const started = await operator.cli(
    ...['order', 'start', await file('card', { ...withoutCard('by-card'), card }), '--way', 'card'],
  );
  expect(started.code).toBe(0);
  await oms.until('/v1/orders/by-card', 'compensated');
});

test('an account validation is started from a file, and its answer is shown as not verified', async () => {
  const request = await file('account', { partner_code: 'ask-first', ...account });
  const started = await operator.cli('account-validation', 'start', request);
  expect(started.code).toBe(0);
  await oms.until('/v1/account-validations/ask-first', 'answered');
  const shown = await operator.cli('account-validation', 'show', 'ask-first');
  expect(shown.output).toContain('(not verified)');
});

test('an order is refunded and shown, and a second start finds the first', async () => {
  await oms.post('/v1/orders/card', cardOrder('regretted'));
  await oms.until('/v1/orders/regretted', 'compensated');
  const started = await operator.cli('refund', 'start', 'regretted', '--reason', 'sold out');
  expect(started.code).toBe(0);
  expect(started.output).toContain('sold out');
  await oms.until('/v1/orders/regretted/refund', 'refunded');
  const shown = await operator.cli('refund', 'show', 'regretted', '--json');
  expect(JSON.parse(shown.output)).toMatchObject({ kind: 'refund', status: 'refunded', requests: 1 });
  const again = await operator.cli('refund', 'start', 'regretted', '--reason', 'sold out');
  expect(again).toMatchObject({ code: 0 });
});

test('a refund that fails is listed with its command, and resolved', async () => {
  await oms.post('/v1/orders/card', cardOrder('stubborn', { description: 'sandbox:refund-422' }));
  await oms.until('/v1/orders/stubborn', 'compensated');
  await operator.cli('refund', 'start', 'stubborn', '--reason', 'sold out');
  await oms.until('/v1/orders/stubborn/refund', 'rejected');
  const undecided = await operator.cli(
    ...['refund', 'acknowledge', 'stubborn', '--attention', 'refund_failed', '--reason', 'seen'],
  );
  expect(undecided.code).toBe(3);
  const resolved = await operator.cli(
    ...['refund', 'resolve', 'stubborn', '--outcome', 'not_refunded', '--reason', 'paid in cash'],
  );
  expect(resolved.code).toBe(0);
  expect(resolved.output).toContain('not_refunded');
});

test('what is not there is reported in words', async () => {
  expect(await operator.cli('refund', 'show', 'nobody')).toMatchObject({ code: 3 });
  expect(await operator.cli('account-validation', 'show', 'nobody')).toMatchObject({ code: 3 });
  expect(await operator.cli('refund', 'start', 'nobody', '--reason', 'x')).toMatchObject({ code: 3 });
});

test('a refund takes the identifier of its order in other capitals, and no other identifier', async ({
  onTestFinished,
}) => {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway.close());
  const body = gatewayOrder();
  const code = body.order.partner_code;
  await gateway.call('POST', '/v1/orders/card', { body });
  const id = '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f';
  await gateway.change(`order-${code}`, { service_id: id.toUpperCase(), status: 'paid' });
  const { address, namespace, taskQueue } = gateway.server;
  const env = {
    ...{ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace },
    ...{ PAYMENTS_TASK_QUEUE: taskQueue, PAYLOAD_KEYS: testPayloadKeys },
  };
  const start = (serviceId: string) =>
    run(['refund', 'start', code, '--service-id', serviceId, '--reason', 'sold out', '--json'], env);
  expect(await start('another')).toMatchObject({ code: 2 });
  const started = await start(id);
  expect(JSON.parse(started.output)).toMatchObject({ workflow_id: `refund-${id}` });
});
