import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';

describe('a payment that can not be sent', () => {
  test('because the service throttles every call needs attention after an hour, not sooner', async ({
    payout,
  }) => {
    payout.throttle(payout.code, 10_000);
    await payout.start();
    expect(await payout.after('50 minutes')).toMatchObject({ status: 'submitting', attention: null });
    const unsent = await payout.until(attentionIs('not_sent'), '5 minutes', 8);
    expect(unsent.attention_detail).toContain('Whether it has taken the payout is looked up');
    payout.service.recovers();
    expect(await payout.until(statusIs('claimed'))).toMatchObject({ attention: null });
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('by the time that its input names is never sent', async ({ clock, payout }) => {
    payout.throttle(payout.code, 10_000);
    const sendBefore = new Date((await clock.now()) + 30 * 60_000).toISOString();
    await payout.start('', { send_before: sendBefore });
    const failed = await payout.until(attentionIs('payout_failed'), '1 minute', 40);
    expect(failed).toMatchObject({ cause: 'refused', attempts: [{ status: 'rejected' }] });
    expect(failed.attempts[0]?.error).toContain('send_before');
    payout.service.recovers();
    await payout.after('2 days');
    expect(payout.made()).toHaveLength(0);
  });
});

describe('a payment that can not be read', () => {
  test('needs attention after an hour, not sooner, and no more once a read works', async ({ payout }) => {
    await payout.start();
    await payout.until(statusIs('claimed'));
    await payout.until(({ last_read: read }) => read !== null, '5 seconds');
    payout.service.fails('GET /v1/payout/{id}');
    expect(await payout.after('50 minutes')).toMatchObject({ attention: null });
    const unread = await payout.until(attentionIs('unreadable'), '5 minutes', 12);
    expect(unread).toMatchObject({ status: 'claimed', closed: false });
    payout.service.recovers();
    payout.service.shows('done');
    expect(await payout.until(statusIs('done'), '15 minutes')).toMatchObject({ attention: null });
  });

  test('of an order needs attention after an hour as well', async ({ order }) => {
    await order.submitted();
    order.service.fails('GET /v1/order/{id}');
    await order.until(attentionIs('unreadable'), '5 minutes', 24);
    order.service.recovers();
    await order.until(attentionIs(null), '15 minutes', 8);
  });
});
