import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode, hostedCheckout } from '../support/requests.js';

describe('a hosted checkout that is paid', () => {
  test.for(['id-integer', 'nested', 'status-absent', 'extra-fields', '201', '429'])(
    'works with the answer %s as if it were usual',
    async (tag, { checkout }) => {
      await checkout.opened(tag);
      expect((await checkout.state()).checkout?.url).toContain('/sandbox/checkout/');
      expect(checkout.made()).toHaveLength(1);
    },
  );
});

describe('a hosted checkout that nobody pays', () => {
  test('expires when its caller asked it to', async ({ checkouts, clock }) => {
    const checkout = await checkouts.opened(freshCode(), '', { expires_after_hours: 2 });
    await clock.sleep('119 minutes');
    expect(await checkout.state()).toMatchObject({ status: 'waiting_payment' });
    await checkout.until(statusIs('expired'), '1 minute', 4);
  });

  test('does not expire unread: it needs attention, and the next read that works expires it', async ({
    checkout,
  }) => {
    await checkout.opened('', { expires_after_hours: 1 });
    await checkout.after('50 minutes');
    checkout.service.answers('GET /v1/order/{id}', { effect: 'none', status: 503 }, { times: 40 });
    const unread = await checkout.until(attentionIs('overdue'), '5 minutes', 20);
    expect(unread.status).toBe('waiting_payment');
    checkout.service.recovers();
    expect(await checkout.until(statusIs('expired'), '10 minutes')).toMatchObject({ attention: null });
  });

  test('and is paid after it has expired needs attention, and goes on as paid', async ({ checkout }) => {
    await checkout.opened();
    await checkout.until(statusIs('expired'), '1 hour', 60);
    checkout.service.shows('paid');
    const paid = await checkout.until(statusIs('paid'), '1 hour', 60);
    expect(paid.attention).toBe('inconsistent_answer');
    expect(await checkout.command('acknowledgeAttention', { by: 'ana' })).toMatchObject({ attention: null });
    checkout.service.shows('compensated');
    await checkout.until(statusIs('compensated'), '1 hour');
  });

  test('does not expire while it is in an undocumented status', async ({ checkout }) => {
    await checkout.opened('', { expires_after_hours: 1 });
    checkout.service.shows('under_review');
    await checkout.until(attentionIs('unrecognised_status'));
    expect(await checkout.after('2 hours')).toMatchObject({ status: 'under_review', closed: false });
  });
});

describe('a hosted checkout of unknown outcome', () => {
  test.for(['accepted-then-dropped', 'html', '204', '503-after'])(
    'after the answer %s needs attention, is never opened again, and goes on as an operator resolves it',
    async (tag, { checkout }) => {
      await checkout.start(tag);
      await checkout.until(attentionIs('submission_unknown'), '1 second');
      await checkout.after('3 days');
      expect(checkout.made()).toHaveLength(1);
      const serviceId = checkout.made()[0]?.id;
      const resolved = await checkout.command('resolveSubmission', { service_id: serviceId, by: 'ana' });
      expect(resolved).toMatchObject({ status: 'waiting_payment', attention: null, service_id: serviceId });
      await checkout.until(statusIs('expired'), '1 hour', 60);
    },
  );

  test('because the answer has no identifier still shows where the customer is sent', async ({
    checkouts,
  }) => {
    const checkout = await checkouts.start(freshCode(), 'id-absent');
    const state = await checkout.until(statusIs('submission_unknown'), '1 second');
    expect(state.checkout?.url).toContain('/sandbox/checkout/');
  });

  test('ends rejected when an operator states that nothing had happened', async ({ checkouts }) => {
    const checkout = await checkouts.start(freshCode(), 'dropped-before');
    await checkout.until(statusIs('submission_unknown'), '1 second');
    await checkout.command('resolveSubmission', { nothing_happened: true });
    expect(await checkout.result()).toMatchObject({ status: 'rejected', closed: true });
  });
});

describe('a hosted checkout that is not opened', () => {
  test('because the service refuses it is rejected with its words', async ({ checkout }) => {
    const result = await (await checkout.start('422-text')).result();
    expect(result).toMatchObject({ status: 'rejected', attention: null, checkout: null });
    expect(result.refusal).toContain('422');
  });

  test('because it is answered 429 for all its time is rejected, and followed for a week', async ({
    checkout,
  }) => {
    await checkout.start('429-always', { expires_after_hours: 1 });
    const ended = await checkout.until(statusIs('rejected'), '10 minutes');
    expect(ended).toMatchObject({ attention: null, closed: false });
    expect(ended.timeline.at(-1)?.what).toContain("By the service's answer nothing was charged.");
    await checkout.result('1 day');
    expect(checkout.made()).toHaveLength(0);
  });

  test('because it is cancelled first', async ({ checkout }) => {
    await checkout.start('429-always');
    await checkout.until(({ timeline }) => timeline.length > 0, '1 second');
    await checkout.cancel();
    await checkout.until(statusIs('cancelled'), '1 second');
    expect(await checkout.result('1 day')).toMatchObject({ status: 'cancelled', closed: true });
  });

  test.for([
    ['no address to return to', { order: { redirect_url: 'not an address' } }],
    ['a card in it', { credit_card: { number: '4111111111111111' } }],
  ] as const)('because its input holds %s', async ([, change], { checkout }) => {
    const { order, ...input } = hostedCheckout(checkout.code);
    const changed = { ...input, ...change, order: { ...order, ...('order' in change ? change.order : {}) } };
    const result = await (await checkout.startWith(changed)).result();
    expect(result).toMatchObject({ status: 'rejected', attention: 'invalid_input' });
    expect(JSON.stringify(result)).not.toContain('4111111111111111');
  });

  test('and is open refuses a resolution, which changes nothing', async ({ checkouts }) => {
    const checkout = await checkouts.opened(freshCode());
    await checkout.until(({ commands }) => !commands.includes('resolveSubmission'));
    expect(await checkout.command('resolveSubmission', { nothing_happened: true }).catch(refusalOf)).toBe(
      'NotUnknown',
    );
  });
});
