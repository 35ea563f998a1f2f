import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';

const again = { reason: 'the customer asked for it', by: 'ana' };
const nothingQueued = { ...again, nothing_queued: true };
const notRefunded = { outcome: 'not_refunded', reason: 'asked them', by: 'rui' };

describe('a refund that was cancelled before anything was sent', () => {
  test('is requested after all when an operator asks for it, once', async ({ refund }) => {
    await refund.cancelled();
    expect(await refund.state()).toMatchObject({ commands: ['retryRefund'], closed: false, requests: 0 });
    await refund.command('retryRefund', again);
    await refund.until(statusIs('refund_processing'));
    expect(refund.requests()).toBe(1);
    refund.service.shows('refunded');
    const result = await refund.result('1 hour');
    expect(result).toMatchObject({ status: 'refunded', requests: 1 });
    expect(result.timeline.find(({ by }) => by === 'ana')).toMatchObject({ reason: again.reason });
  });

  test('is not requested by itself, and closes at the end of its watch', async ({ refund }) => {
    await refund.cancelled();
    expect(await refund.result('182 days')).toMatchObject({ status: 'cancelled', closed: true });
    expect(refund.requests()).toBe(0);
  });

  test('is followed when somebody else has the order refunded', async ({ refund }) => {
    await refund.cancelled();
    refund.service.shows('refund_processing');
    expect(await refund.after('2 days')).toMatchObject({ status: 'refund_processing', requests: 0 });
    refund.service.shows('refunded');
    expect(await refund.result('1 hour')).toMatchObject({ status: 'refunded', requests: 0 });
  });

  test('is not requested after all once the order reads as refunded', async ({ refund }) => {
    await refund.cancelled();
    refund.service.shows('refunded');
    expect(await refund.command('retryRefund', again).catch(refusalOf)).toBe('AlreadyMoving');
    expect(refund.requests()).toBe(0);
  });
});

describe('a refund that an operator has resolved as not refunded', () => {
  test('is requested again when an operator states that nothing is queued', async ({ refund }) => {
    await refund.unconfirmed();
    await refund.command('resolveRefund', notRefunded);
    expect(await refund.command('retryRefund', again).catch(refusalOf)).toBe('DecisionNeeded');
    expect(refund.requests()).toBe(1);
    await refund.command('retryRefund', nothingQueued);
    const requested = await refund.until(({ requests }) => requests === 2);
    expect(requested).toMatchObject({ outcome: null });
    expect(refund.requests()).toBe(2);
  });

  test('needs no such statement when the service has refused it', async ({ refund }) => {
    await refund.refused();
    await refund.command('resolveRefund', notRefunded);
    await refund.command('retryRefund', again);
    await refund.until(statusIs('refund_processing'));
    expect(refund.requests()).toBe(1);
  });
});

test.for(['refunded', 'not_refunded'] as const)(
  'what the service shows later wins over the finding of an operator: %s',
  async (outcome, { refund }) => {
    await refund.unconfirmed();
    await refund.command('resolveRefund', { ...notRefunded, outcome });
    refund.service.shows('refund_processing');
    expect(await refund.after('2 days')).toMatchObject({ status: 'refund_processing', outcome: null });
    refund.service.shows('refund_failed');
    await refund.until(attentionIs('refund_failed'), '2 days');
  },
);

test('a failure that is shown after the finding that nothing was refunded is no news', async ({ refund }) => {
  await refund.unconfirmed();
  await refund.command('resolveRefund', notRefunded);
  refund.service.shows('refund_failed');
  expect(await refund.after('2 days')).toMatchObject({ status: 'resolved', attention: null });
});
