import { expect } from 'vitest';
import { statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';

test.for([
  ['as usual', '', 'waiting_payment'],
  ['without an identifier', 'id-absent', 'submission_unknown'],
] as const)(
  'a hosted checkout that is answered %s shows where the customer is sent',
  async ([, tag, status], { checkout }) => {
    await checkout.start(tag);
    const state = await checkout.until(statusIs(status), '1 second');
    const [{ id } = { id: '' }] = checkout.made();
    expect(state.checkout?.url).toContain(`/sandbox/checkout/${id}`);
    expect(state.checkout?.answer).toMatchObject(tag === '' ? { id, status } : {});
  },
);

test('a hosted checkout that is always answered 429 is rejected, and followed on', async ({ checkout }) => {
  await checkout.start('429-always', { expires_after_hours: 1 });
  const ended = await checkout.until(statusIs('rejected'), '10 minutes');
  expect(ended).toMatchObject({ attention: null, closed: false });
  expect(ended.timeline.at(-1)?.what).toContain("By the service's answer nothing was charged.");
  await checkout.result('1 day');
  expect(checkout.made()).toHaveLength(0);
});
