import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test as payments } from '../support/plain-payments.js';

const needsOperator = { attention: 'unreadable', commands: ['resolveSubmission', 'acknowledgeAttention'] };

/** Brings a payout into this status, and lets no read by its identifier find it for an hour: it has moved, or reads answer that. */
const test = payments.extend('unread', ({ payout, sandbox }) => {
  return async (status: 'processing' | 'done' | 'error', why: 'moved' | 404 | 503) => {
    await (status === 'error' ? payout.failed() : payout.shownAs(status));
    const id = payout.id();
    if (why === 'moved') sandbox.movePayout(payout.code);
    else payout.service.fails('GET /v1/payout/{id}', why);
    const shown = await payout.until(({ commands }) => commands.includes('resolveSubmission'), '1 hour');
    return { id, shown };
  };
});

describe('a payout whose identifier the service does not know any more', () => {
  test('needs attention after an hour, and is followed under the one that an operator names', async ({
    payout,
    unread,
  }) => {
    const { shown } = await unread('processing', 'moved');
    expect(shown).toMatchObject(needsOperator);
    expect(await payout.refusal('resolveSubmission', { nothing_happened: true })).toBe('InvalidMessage');
    await payout.command('resolveSubmission', { service_id: payout.id() });
    payout.service.shows('done');
    const done = await payout.until(statusIs('done'));
    expect(done).toMatchObject({ attention: null, service_id: payout.id() });
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('and that had failed is paid again once the new one reads as failed', async ({ payout, unread }) => {
    await unread('error', 'moved');
    expect(await payout.refusal('retryPayout')).toBe('CouldNotRead');
    await payout.command('resolveSubmission', { service_id: payout.id() });
    await payout.until(({ commands }) => !commands.includes('resolveSubmission'), '1 minute');
    await payout.command('retryPayout');
    await payout.until(statusIs('claimed'));
    expect(payout.madeCodes()).toEqual([payout.code, `${payout.code}-r2`]);
  });

  test('may be acknowledged, and still takes the new one', async ({ payout, unread }) => {
    await unread('processing', 404);
    const seen = await payout.command('acknowledgeAttention', { attention: 'unreadable' });
    expect(seen).toMatchObject({ attention: null, commands: ['resolveSubmission'] });
    // That another read does not work for another reason is no news.
    payout.service.recovers();
    payout.service.fails('GET /v1/payout/{id}', 503);
    expect(await payout.after('1 day')).toMatchObject({ attention: null });
    payout.service.recovers();
    payout.service.shows('done');
    await payout.until(statusIs('done'), '1 day');
  });
});

test('a failed payout that a retry has read is not unreadable any more', async ({ payout, unread }) => {
  await unread('error', 503);
  payout.service.recovers();
  payout.service.throttles('POST /v1/payout/pix', 3_600, 'none', `${payout.code}-r2`);
  expect(await payout.command('retryPayout')).toMatchObject({ status: 'submitting', attention: null });
});

test('a payout that the service answers for again is not moved to another record of its code', async ({
  payout,
  sandbox,
  unread,
}) => {
  const { id } = await unread('processing', 404);
  payout.service.recovers();
  sandbox.twin(payout.code, 'error');
  const twin = payout.made().find((each) => each.id !== id);
  expect(await payout.refusal('resolveSubmission', { service_id: twin?.id })).toBe('AlreadyMoving');
  expect(await payout.state()).toMatchObject({ service_id: id });
});

test('an order that has moved is followed under the identifier that an operator names', async ({
  order,
  sandbox,
}) => {
  await order.submitted();
  order.service.shows('paid');
  await order.until(statusIs('paid'));
  sandbox.moveOrder(order.code);
  expect(await order.until(attentionIs('unreadable'), '6 hours')).toMatchObject(needsOperator);
  await order.command('resolveSubmission', { service_id: order.id() });
  order.service.shows('chargeback');
  await order.until(statusIs('chargeback'), '6 hours');
  expect(order.made()).toHaveLength(1);
});

test('a failed payout that is unread takes no finding while the list shows that it moves', async ({
  payout,
  sandbox,
  unread,
}) => {
  const { id } = await unread('error', 503);
  payout.service.recovers();
  sandbox.twin(payout.code, 'processing');
  expect(await payout.refusal('resolveSubmission', { service_id: id })).toBe('AlreadyMoving');
  expect((await payout.state()).attention).not.toBe('payout_failed');
});
