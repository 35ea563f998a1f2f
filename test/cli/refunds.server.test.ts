import { expect, test } from 'vitest';
import { cardOrder } from '../processes/support/oms.js';
import { servedForAllTests } from './support/served.js';

const { operator, oms } = await servedForAllTests();

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
