import { describe, expect } from 'vitest';
import type { ArmedFaultInput } from '../../src/dev/sandbox/faults.js';
import { attentionIs, statusIs } from '../support/payment.js';
import { test as base } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

const needsOperator = { attention: 'unreadable', commands: ['resolveSubmission', 'acknowledgeAttention'] };
const readsAnswer = (partner_code: string, status: 404 | 503): ArmedFaultInput => ({
  ...{ endpoint: 'GET /v1/payout/{id}', partner_code, times: 10_000, fault: { effect: 'none', status } },
});

/** A payout of this status that no read by its identifier has found for an hour: it has moved, or reads answer that. */
const test = base.extend('unread', ({ payouts, sandbox }) => {
  return async (status: 'processing' | 'done' | 'error', why: 'moved' | 404 | 503) => {
    const code = freshCode();
    const payout = await (status === 'error' ? payouts.failed(code) : payouts.shownAs(code, status));
    const id = payouts.idOf(code);
    if (why === 'moved') sandbox.movePayout(code);
    else sandbox.fault(readsAnswer(code, why));
    const shown = await payout.until(({ commands }) => commands.includes('resolveSubmission'), '1 hour');
    return { code, id, payout, shown };
  };
});

describe('a payout whose identifier the service does not know any more', () => {
  test('needs attention after an hour, and is followed under the one that an operator names', async ({
    payouts,
    sandbox,
    unread,
  }) => {
    const { code, payout, shown } = await unread('processing', 'moved');
    expect(shown).toMatchObject(needsOperator);
    await payout.command('resolveSubmission', { service_id: payouts.idOf(code) });
    sandbox.setPayoutStatus(code, 'done');
    const done = await payout.until(statusIs('done'));
    expect(done).toMatchObject({ attention: null, service_id: payouts.idOf(code) });
    expect(payouts.madeCodes(code)).toEqual([code]);
  });

  test('and that was done already keeps its status until an operator names the new one', async ({
    payouts,
    unread,
  }) => {
    const { code, payout, shown } = await unread('done', 'moved');
    expect(shown).toMatchObject({ status: 'done', ...needsOperator });
    const moved = await payout.command('resolveSubmission', { service_id: payouts.idOf(code) });
    expect(moved).toMatchObject({ status: 'done' });
    await payout.until(attentionIs(null));
  });

  test('is not called unpaid, whatever an operator has found', async ({ unread }) => {
    const { payout } = await unread('processing', 'moved');
    const denied = payout.command('resolveSubmission', { nothing_happened: true });
    expect(await denied.catch(refusalOf)).toBe('InvalidMessage');
  });

  test('and that had failed takes the new one, and is paid again once that reads as failed', async ({
    payouts,
    unread,
  }) => {
    const { code, payout } = await unread('error', 'moved');
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('CouldNotRead');
    await payout.command('resolveSubmission', { service_id: payouts.idOf(code) });
    await payout.until(({ commands }) => !commands.includes('resolveSubmission'), '1 minute');
    await payout.command('retryPayout');
    await payout.until(statusIs('claimed'));
    expect(payouts.madeCodes(code)).toEqual([code, `${code}-r2`]);
  });

  test('may be acknowledged, and still takes the new one', async ({ clock, sandbox, service, unread }) => {
    const { code, payout } = await unread('processing', 404);
    await payout.command('acknowledgeAttention', { attention: 'unreadable' });
    expect(await payout.state()).toMatchObject({ attention: null, commands: ['resolveSubmission'] });
    // That another read does not work for another reason is no news.
    service.recovers();
    sandbox.fault(readsAnswer(code, 503));
    await clock.pass('1 day');
    expect((await payout.state()).attention).toBeNull();
    service.recovers();
    sandbox.setPayoutStatus(code, 'done');
    await payout.until(statusIs('done'), '1 day');
  });
});

test('a payout that the service answers for again is not moved to another record of its code', async ({
  payouts,
  sandbox,
  service,
  unread,
}) => {
  const { code, id, payout } = await unread('processing', 404);
  service.recovers();
  sandbox.twin(code, 'error');
  const twin = payouts.made(code).find((each) => each.id !== id);
  const moved = payout.command('resolveSubmission', { service_id: twin?.id });
  expect(await moved.catch(refusalOf)).toBe('AlreadyMoving');
  expect((await payout.state()).service_id).toBe(id);
});

describe('an order whose identifier the service does not know any more', () => {
  test('needs attention, and is followed under the one that an operator names', async ({
    order,
    sandbox,
  }) => {
    await order.start();
    await order.until(statusIs('waiting_payment'));
    order.service.shows('paid');
    await order.until(statusIs('paid'));
    sandbox.moveOrder(order.code);
    expect(await order.until(attentionIs('unreadable'), '6 hours')).toMatchObject(needsOperator);
    const [record] = sandbox.ledger(order.code).orders;
    await order.command('resolveSubmission', { service_id: String(record?.id) });
    order.service.shows('chargeback');
    await order.until(statusIs('chargeback'), '6 hours');
    expect(sandbox.ledger(order.code).orders).toHaveLength(1);
  });
});

test('a failed payout that a retry has read is not unreadable any more', async ({ service, unread }) => {
  const { code, payout } = await unread('error', 503);
  service.recovers();
  service.answers(
    'POST /v1/payout/pix',
    { effect: 'none', status: 429, headers: { 'retry-after': '3600' } },
    { of: `${code}-r2` },
  );
  await payout.command('retryPayout');
  expect(await payout.state()).toMatchObject({ status: 'submitting', attention: null });
});

test('a failed payout that is unread takes no finding while the list shows that it moves', async ({
  sandbox,
  service,
  unread,
}) => {
  const { code, id, payout } = await unread('error', 503);
  service.recovers();
  sandbox.twin(code, 'processing');
  const moved = payout.command('resolveSubmission', { service_id: id });
  expect(await moved.catch(refusalOf)).toBe('AlreadyMoving');
  expect((await payout.state()).attention).not.toBe('payout_failed');
});
