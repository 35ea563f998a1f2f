import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { freshCode } from '../support/requests.js';

describe('a payment that can not be sent', () => {
  test('because the service throttles every call needs attention after an hour, not sooner', async ({
    payouts,
    sandbox,
    clock,
  }) => {
    const code = freshCode();
    payouts.throttle(code, 10_000);
    const payout = await payouts.start(code);
    await clock.pass('50 minutes');
    expect(await payout.state()).toMatchObject({ status: 'submitting', attention: null });
    const unsent = await payout.until(attentionIs('not_sent'), '5 minutes', 8);
    expect(unsent.attention_detail).toContain('Whether it has taken the payout is looked up');
    sandbox.clearFaults();
    expect(await payout.until(statusIs('claimed'))).toMatchObject({ attention: null });
    expect(payouts.madeCodes(code)).toEqual([code]);
  });

  test('by the time that its input names is never sent', async ({ payouts, sandbox, clock }) => {
    const code = freshCode();
    payouts.throttle(code, 10_000);
    const sendBefore = new Date((await clock.now()) + 30 * 60_000).toISOString();
    const payout = await payouts.start(code, '', { send_before: sendBefore });
    const failed = await payout.until(attentionIs('payout_failed'), '1 minute', 40);
    expect(failed).toMatchObject({ cause: 'refused', attempts: [{ status: 'rejected' }] });
    expect(failed.attempts[0]?.error).toContain('send_before');
    sandbox.clearFaults();
    await clock.pass('2 days');
    expect(payouts.made(code)).toHaveLength(0);
  });
});

describe('a payment that can not be read', () => {
  test('needs attention after an hour, not sooner, and no more once a read works', async ({
    payouts,
    sandbox,
    clock,
  }) => {
    const code = freshCode();
    const payout = await payouts.start(code);
    await payout.until(statusIs('claimed'));
    await payout.until(({ last_read: read }) => read !== null, '5 seconds');
    const endpoint = 'GET /v1/payout/{id}';
    const fault = { effect: 'none', status: 503 } as const;
    sandbox.fault({ endpoint, partner_code: code, times: 10_000, fault });
    await clock.pass('50 minutes');
    expect(await payout.state()).toMatchObject({ attention: null });
    const unread = await payout.until(attentionIs('unreadable'), '5 minutes', 12);
    expect(unread).toMatchObject({ status: 'claimed', closed: false });
    sandbox.clearFaults();
    sandbox.setPayoutStatus(code, 'done');
    expect(await payout.until(statusIs('done'), '15 minutes')).toMatchObject({ attention: null });
  });

  test('of an order needs attention after an hour as well', async ({ orders, sandbox }) => {
    const code = freshCode();
    const order = await orders.submitted(code);
    const endpoint = 'GET /v1/order/{id}';
    const fault = { effect: 'none', status: 503 } as const;
    sandbox.fault({ endpoint, partner_code: code, times: 10_000, fault });
    await order.until(attentionIs('unreadable'), '5 minutes', 24);
    sandbox.clearFaults();
    await order.until(attentionIs(null), '15 minutes', 8);
  });
});
