import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

describe('a payout whose identifier the service does not know any more', () => {
  test('needs attention after an hour, and is followed under the one that an operator names', async ({
    payouts,
    sandbox,
  }) => {
    const code = freshCode();
    const payout = await payouts.shownAs(code, 'processing');
    sandbox.movePayout(code);
    const unread = await payout.until(attentionIs('unreadable'), '10 minutes');
    expect(unread.commands).toEqual(['resolveSubmission', 'acknowledgeAttention']);
    await payout.command('resolveSubmission', { service_id: payouts.idOf(code) });
    sandbox.setPayoutStatus(code, 'done');
    const done = await payout.until(statusIs('done'));
    expect(done).toMatchObject({ attention: null, service_id: payouts.idOf(code) });
    expect(payouts.madeCodes(code)).toEqual([code]);
  });

  test('and that was done already keeps its status until an operator names the new one', async ({
    payouts,
    sandbox,
  }) => {
    const code = freshCode();
    const payout = await payouts.shownAs(code, 'done');
    sandbox.movePayout(code);
    const unread = await payout.until(attentionIs('unreadable'), '6 hours');
    expect(unread).toMatchObject({ status: 'done', commands: ['resolveSubmission', 'acknowledgeAttention'] });
    const moved = await payout.command('resolveSubmission', { service_id: payouts.idOf(code) });
    expect(moved).toMatchObject({ status: 'done' });
    await payout.until(attentionIs(null));
  });

  test('is not called unpaid, whatever an operator has found', async ({ payouts, sandbox }) => {
    const code = freshCode();
    const payout = await payouts.shownAs(code, 'processing');
    sandbox.movePayout(code);
    await payout.until(attentionIs('unreadable'), '10 minutes');
    const denied = payout.command('resolveSubmission', { nothing_happened: true });
    expect(await denied.catch(refusalOf)).toBe('InvalidMessage');
  });

  test('and that had failed takes the new one, and is paid again once that reads as failed', async ({
    payouts,
    sandbox,
  }) => {
    const code = freshCode();
    const payout = await payouts.failed(code);
    sandbox.movePayout(code);
    await payout.until(({ commands }) => commands.includes('resolveSubmission'), '6 hours');
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('CouldNotRead');
    await payout.command('resolveSubmission', { service_id: payouts.idOf(code) });
    await payout.until(({ commands }) => !commands.includes('resolveSubmission'), '1 minute');
    await payout.command('retryPayout');
    await payout.until(statusIs('claimed'));
    expect(payouts.madeCodes(code)).toEqual([code, `${code}-r2`]);
  });

  test('may be acknowledged, and still takes the new one', async ({ clock, payouts, sandbox }) => {
    const code = freshCode();
    const payout = await payouts.shownAs(code, 'processing');
    const fault = { effect: 'none', status: 404 } as const;
    sandbox.fault({ endpoint: 'GET /v1/payout/{id}', partner_code: code, times: 10_000, fault });
    await payout.until(attentionIs('unreadable'), '10 minutes');
    await payout.command('acknowledgeAttention', { attention: 'unreadable' });
    expect(await payout.state()).toMatchObject({ attention: null, commands: ['resolveSubmission'] });
    // That another read does not work for another reason is no news.
    sandbox.clearFaults();
    const other = { effect: 'none', status: 503 } as const;
    sandbox.fault({ endpoint: 'GET /v1/payout/{id}', partner_code: code, times: 10_000, fault: other });
    await clock.pass('1 day');
    expect((await payout.state()).attention).toBeNull();
    sandbox.clearFaults();
    sandbox.setPayoutStatus(code, 'done');
    await payout.until(statusIs('done'), '1 day');
  });
});

test('a payout that the service answers for again is not moved to another record of its code', async ({
  payouts,
  sandbox,
}) => {
  const code = freshCode();
  const payout = await payouts.shownAs(code, 'processing');
  const id = payouts.idOf(code);
  const fault = { effect: 'none', status: 404 } as const;
  sandbox.fault({ endpoint: 'GET /v1/payout/{id}', partner_code: code, times: 10_000, fault });
  await payout.until(attentionIs('unreadable'), '10 minutes');
  sandbox.clearFaults();
  sandbox.twin(code, 'error');
  const twin = payouts.made(code).find((each) => each.id !== id);
  const moved = payout.command('resolveSubmission', { service_id: twin?.id });
  expect(await moved.catch(refusalOf)).toBe('AlreadyMoving');
  expect((await payout.state()).service_id).toBe(id);
});

describe('an order whose identifier the service does not know any more', () => {
  test('needs attention, and is followed under the one that an operator names', async ({
    orders,
    sandbox,
  }) => {
    const code = freshCode();
    const order = await orders.start(code);
    await order.until(statusIs('waiting_payment'));
    sandbox.setOrderStatus(code, 'paid');
    await order.until(statusIs('paid'));
    sandbox.moveOrder(code);
    const unread = await order.until(attentionIs('unreadable'), '6 hours');
    expect(unread.commands).toEqual(['resolveSubmission', 'acknowledgeAttention']);
    const [record] = sandbox.ledger(code).orders;
    await order.command('resolveSubmission', { service_id: String(record?.id) });
    sandbox.setOrderStatus(code, 'chargeback');
    await order.until(statusIs('chargeback'), '6 hours');
    expect(sandbox.ledger(code).orders).toHaveLength(1);
  });
});

test('a failed payout that a retry has read is not unreadable any more', async ({ payouts, sandbox }) => {
  const code = freshCode();
  const payout = await payouts.failed(code);
  const fault = { effect: 'none', status: 503 } as const;
  sandbox.fault({ endpoint: 'GET /v1/payout/{id}', partner_code: code, times: 10_000, fault });
  await payout.until(({ commands }) => commands.includes('resolveSubmission'), '6 hours');
  sandbox.clearFaults();
  const throttled = { effect: 'none', status: 429, headers: { 'retry-after': '3600' } } as const;
  sandbox.fault({ endpoint: 'POST /v1/payout/pix', partner_code: `${code}-r2`, fault: throttled });
  await payout.command('retryPayout');
  expect(await payout.state()).toMatchObject({ status: 'submitting', attention: null });
});

test('a failed payout that is unread takes no finding while the list shows that it moves', async ({
  payouts,
  sandbox,
}) => {
  const code = freshCode();
  const payout = await payouts.failed(code);
  const id = payouts.idOf(code);
  const fault = { effect: 'none', status: 503 } as const;
  sandbox.fault({ endpoint: 'GET /v1/payout/{id}', partner_code: code, times: 10_000, fault });
  await payout.until(({ commands }) => commands.includes('resolveSubmission'), '6 hours');
  sandbox.clearFaults();
  sandbox.twin(code, 'processing');
  expect(await payout.command('resolveSubmission', { service_id: id }).catch(refusalOf)).toBe(
    'AlreadyMoving',
  );
  expect((await payout.state()).attention).not.toBe('payout_failed');
});
