import { describe, expect, test } from 'vitest';
import { orderStage } from '../../src/domain/order-stages.js';
import { refundObjection, refundStage, retryRefundRefusal } from '../../src/domain/refund-stages.js';
import { isRefundFailure, isRefundMoving } from '../../src/domain/statuses.js';

describe('an order', () => {
  test.for([
    ['unsent', 'submitting', null, 'submit'],
    ['unsent', 'expired', null, 'submit'],
    ['unknown', 'submission_unknown', null, 'resolve'],
    ['unknown', 'denied', 'open', 'resolve'],
    ['void', 'rejected', null, 'watch'],
    ['void', 'rejected', 'open', 'watch'],
    ['known', 'waiting_payment', null, 'follow'],
    ['known', 'paid', null, 'follow'],
    ['known', 'under_review', null, 'follow'],
    ['known', 'refund_processing', null, 'follow'],
    ['known', 'compensated', null, 'watch'],
    ['known', 'refunded', null, 'watch'],
    ['known', 'chargeback', null, 'watch'],
    ['known', 'error', null, 'watch'],
    ['known', 'denied', null, 'watch'],
    ['known', 'expired', null, 'watch'],
    ['known', 'awaiting_authentication', null, 'follow'],
    ['known', 'awaiting_authentication', 'open', 'authenticate'],
    ['known', 'waiting_payment', 'open', 'follow'],
    ['known', 'expired', 'open', 'watch'],
    ['known', 'submitting', 'to_send', 'complete'],
    ['known', 'denied', 'to_send', 'complete'],
    ['known', 'submission_unknown', 'unknown', 'follow'],
    ['known', 'awaiting_authentication', 'sent', 'follow'],
    ['known', 'compensated', 'sent', 'watch'],
  ] as const)('that is %s and %s, its completion %s: %s', ([phase, status, completion, stage]) => {
    expect(orderStage(phase, status, completion)).toBe(stage);
  });
});

describe('a refund', () => {
  test.for([
    ['checking', 'check', 'check'],
    ['to_send', 'request', 'request'],
    ['asked', 'confirm', 'decide'],
    ['unknown', 'decide', 'decide'],
    ['refused', 'decide', 'decide'],
    ['failed', 'decide', 'decide'],
    ['over', 'over', 'over'],
  ] as const)('that is %s: %s, and %s when it is unconfirmed', ([phase, confirmed, unconfirmed]) => {
    expect(refundStage(phase, false)).toBe(confirmed);
    expect(refundStage(phase, true)).toBe(unconfirmed);
  });

  test.for([
    ['unknown', {}, 'DecisionNeeded'],
    ['asked', {}, 'DecisionNeeded'],
    ['unknown', { nothing_queued: false }, 'DecisionNeeded'],
    ['unknown', { nothing_queued: true }, undefined],
    ['asked', { nothing_queued: true }, undefined],
    ['refused', {}, undefined],
    ['failed', {}, undefined],
  ] as const)('that is %s is retried by %j: %s', ([phase, message, refusal]) => {
    expect(retryRefundRefusal(phase, message)?.type).toBe(refusal);
  });

  test('is not made of another order, nor of one that was charged back', () => {
    expect(refundObjection('It is order 2.', 'paid')).toContain('It is order 2.');
    expect(refundObjection(null, 'chargeback')).toContain('give it twice');
    expect([refundObjection(null, 'paid'), refundObjection(null, null)]).toEqual([null, null]);
  });

  test.for(['refunding', 'pending_refund', 'under_review'])(
    'is not made of an order that reads as %s',
    (word) => {
      expect(refundObjection(null, word)).toContain('may be going back already');
    },
  );

  test.for([
    ['refund_processing', false, true],
    ['refund_requested', false, true],
    ['refund_failed', true, false],
    ['refund_denied', true, false],
    ['refund_rejected', true, false],
    ['refund_not_possible', true, false],
    ['refund_cancelled', true, false],
    ['refunded', false, false],
    ['paid', false, false],
    ['not_refund_failed', false, false],
  ] as const)('in %s has failed: %s, and is on its way: %s', ([status, failed, moving]) => {
    expect(isRefundFailure(status)).toBe(failed);
    expect(isRefundMoving(status)).toBe(moving);
  });

  test('is not on its way before its order was read', () => {
    expect(isRefundMoving(null)).toBe(false);
  });
});
