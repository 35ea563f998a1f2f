import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { paymentPage } from '../../src/contract/http/lists.js';
import { orderState } from '../../src/contract/state.js';
import { cardOrder, checkout, secrets } from '../processes/support/oms.js';
import { waiting } from '../support/waiting.js';
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

test('a file with a card in it is refused by the name of the field, and the card is not repeated', async () => {
  const refused = await operator.cli(
    'order',
    'start',
    await file('leak', cardOrder('leaky')),
    '--way',
    'card',
  );
  expect(refused.code).toBe(2);
  expect(refused.output).toMatch(/^credit_card: /m);
  expect(refused.output).not.toContain(secrets.number);
});

test('orders are listed by their status', async () => {
  await oms.post('/v1/orders/checkout', checkout('to-list'));
  await oms.until('/v1/orders/to-list', 'waiting_payment');
  const listed = async () => {
    const { output } = await operator.cli('order', 'list', '--status', 'waiting_payment', '--json');
    return paymentPage.parse(JSON.parse(output)).payments.map(({ partner_code: code }) => code);
  };
  // Lists follow a moment after.
  await vi.waitUntil(async () => (await listed()).includes('to-list'), waiting);
  expect((await operator.cli('order', 'list', '--status', 'waiting_payment')).output).toContain('to-list');
});

test('an account validation is started from a file, and its answer is shown as not verified', async () => {
  const request = await file('account', { partner_code: 'ask-first', ...account });
  const started = await operator.cli('account-validation', 'start', request);
  expect(started.code).toBe(0);
  await oms.until('/v1/account-validations/ask-first', 'answered');
  const shown = await operator.cli('account-validation', 'show', 'ask-first');
  expect(shown.output).toContain('(not verified)');

  const wrong = await file('wrong-account', { partner_code: 'wrong', ...account, document: '123' });
  const refused = await operator.cli('account-validation', 'start', wrong);
  expect(refused.code).toBe(2);
  expect(refused.output).toMatch(/^document: /m);
});
