import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { orderState } from '../../src/contract/state.js';
import { cardOrder, checkout, secrets } from '../processes/support/oms.js';
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

test.for([
  ['a hosted checkout', 'checkout', checkout('by-checkout'), 'waiting_payment'],
  ['a 3D Secure order', '3ds', withoutCard('by-3ds'), 'awaiting_authentication'],
] as const)(
  '%s is started from a file, once, and prints where the customer pays',
  async ([, way, request, status]) => {
    const start = ['order', 'start', await file(way, request), '--way', way];
    const started = await operator.cli(...start, '--json');
    const state = orderState.parse(JSON.parse(started.output));
    expect(state).toMatchObject({ status });
    const again = await operator.cli(...start);
    expect(again.code).toBe(0);
    if (state.checkout !== null)
      expect(again.output).toContain(`customer pays at  ${state.checkout.url ?? ''}`);
  },
);

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
  const start = (...more: string[]) =>
    operator.cli('refund', 'start', 'regretted', '--reason', 'sold out', ...more);
  expect(await start('--service-id', 'another')).toMatchObject({ code: 2 });
  const started = await start();
  expect(started.code).toBe(0);
  expect(started.output).toContain('sold out');
  await oms.until('/v1/orders/regretted/refund', 'refunded');
  const shown = await operator.cli('refund', 'show', 'regretted', '--json');
  expect(JSON.parse(shown.output)).toMatchObject({ kind: 'refund', status: 'refunded', requests: 1 });
  expect(await start()).toMatchObject({ code: 0 });
});

test.for([
  ...['refund', 'account-validation', 'payout', 'order', 'bulk-retry'].map((noun) => `${noun} show`),
  'refund start --reason x',
])('%s of what is not there is refused in words: 3', async (words) => {
  const { code, output } = await operator.cli(...words.split(' '), 'nobody');
  expect(code).toBe(3);
  expect(output).toMatch(/^No [a-z ]+ is known under this /);
});
