import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';

const again = { reason: 'the customer asked for it', by: 'ana' };
const nothingQueued = { ...again, nothing_queued: true };
const notRefunded = { outcome: 'not_refunded', reason: 'asked them', by: 'rui' };

describe('a refund that is not confirmed', () => {
  test('needs attention after ten days of an order that reads as paid', async ({ refund }) => {
    await refund.requested('refund-never');
    const late = await refund.until(statusIs('unconfirmed'), '1 day', 14);
    expect(late).toMatchObject({ attention: 'refund_unconfirmed', requests: 1 });
    refund.service.shows('refunded');
    expect(await refund.result('1 day')).toMatchObject({ status: 'refunded', attention: null });
    expect(refund.requests()).toBe(1);
  });

  test('by the words "success: false" of its answer is not called taken', async ({ refund }) => {
    const body = { id: await refund.paidOrder(), success: false, message: 'Saldo insuficiente' };
    refund.service.answers('PUT /v1/order/{id}/refund', { effect: 'none', status: 200, body });
    await refund.begin();
    const asked = await refund.until(attentionIs('refund_unconfirmed'), '1 second');
    expect(asked).toMatchObject({ status: 'unconfirmed' });
    expect(asked.attention_detail).toMatch(/says that it failed.*Saldo insuficiente/);
  });

  test('is retried only when an operator states that none is queued', async ({ refund }) => {
    await refund.unconfirmed('refund-dropped-before');
    expect(await refund.refusal('retryRefund', again)).toBe('DecisionNeeded');
    expect(refund.requests()).toBe(0);
    const retried = await refund.command('retryRefund', nothingQueued);
    expect(retried).toMatchObject({ status: 'requesting', attention: null });
    await refund.until(statusIs('refund_processing'));
    expect(refund.requests()).toBe(1);
  });

  test.for(['refunded', 'refund_processing'])(
    'is not retried when the fresh read shows the order as %s, whatever the operator states',
    async (status, { refund }) => {
      await refund.unconfirmed();
      refund.service.shows(status);
      expect(await refund.refusal('retryRefund', nothingQueued)).toBe('AlreadyMoving');
      expect(await refund.state()).toMatchObject({ status, attention: null });
      expect(refund.requests()).toBe(1);
    },
  );
});

test('a retry whose fresh read is throttled is refused at once and has no effect later', async ({
  refund,
}) => {
  await refund.refused();
  const throttled = { effect: 'none', status: 429, headers: { 'retry-after': '3600' } } as const;
  refund.service.answers('GET /v1/order/{id}', throttled, { times: 10_000 });
  // No time is skipped meanwhile: a command that waited for the hour would never be answered.
  expect(await refund.refusal('retryRefund')).toBe('CouldNotRead');
  expect(await refund.command('resolveRefund', notRefunded)).toMatchObject({ status: 'resolved' });
  refund.service.recovers();
  await refund.after('2 days');
  expect(refund.requests()).toBe(0);
});

describe('a refund that was cancelled before anything was sent', () => {
  test('is requested after all when an operator retries it, once', async ({ refund }) => {
    await refund.cancelled();
    expect(await refund.state()).toMatchObject({ commands: ['retryRefund'], closed: false, requests: 0 });
    await refund.command('retryRefund', again);
    await refund.until(statusIs('refund_processing'));
    refund.service.shows('refunded');
    const result = await refund.result('1 hour');
    expect(result).toMatchObject({ status: 'refunded', requests: 1 });
    expect(result.timeline.find(({ by }) => by === 'ana')).toMatchObject({ reason: again.reason });
    expect(refund.requests()).toBe(1);
  });

  test('is not requested by itself, and closes at the end of its watch', async ({ refund }) => {
    await refund.cancelled();
    const result = await refund.result('182 days');
    expect(result).toMatchObject({ status: 'cancelled', closed: true, attention: null, requests: 0 });
    expect(refund.requests()).toBe(0);
  });

  test('is followed when somebody else has the order refunded', async ({ refund }) => {
    await refund.cancelled();
    refund.service.shows('refund_processing');
    expect(await refund.after('2 days')).toMatchObject({ status: 'refund_processing', requests: 0 });
    refund.service.shows('refunded');
    expect(await refund.result('1 hour')).toMatchObject({ status: 'refunded', requests: 0 });
  });
});

describe('a refund that an operator has resolved', () => {
  test.for(['refunded', 'not_refunded'])(
    'as %s closes so at the end of its watch',
    async (outcome, { refund }) => {
      await refund.unconfirmed();
      const resolved = await refund.command('resolveRefund', { ...notRefunded, outcome });
      expect(resolved).toMatchObject({ status: 'resolved', outcome, attention: null });
      const result = await refund.result('182 days');
      expect(result).toMatchObject({ status: 'resolved', outcome, closed: true });
      expect(result.timeline.find(({ by }) => by === 'rui')).toMatchObject({ reason: 'asked them' });
    },
  );

  test('is requested again when an operator states that nothing is queued', async ({ refund }) => {
    await refund.unconfirmed();
    await refund.command('resolveRefund', notRefunded);
    expect(await refund.refusal('retryRefund', again)).toBe('DecisionNeeded');
    expect(refund.requests()).toBe(1);
    await refund.command('retryRefund', nothingQueued);
    expect(await refund.until(({ requests }) => requests === 2)).toMatchObject({ outcome: null });
    expect(refund.requests()).toBe(2);
  });
});
