import { describe, expect, test } from 'vitest';
import { cardOrderStage, orderStage, threeDSecureStage } from '../../src/domain/order-stages.js';
import { newOrder } from '../../src/domain/order.js';
import {
  refundObjection,
  refundStage,
  refundValueProblem,
  retryRefundRefusal,
} from '../../src/domain/refund-stages.js';

describe('an order', () => {
  test.for([
    ['unsent', 'submit', ['submitting', 'expired']],
    ['unknown', 'resolve', ['submission_unknown']],
    ['void', 'watch', ['rejected']],
    ['known', 'follow', ['waiting_payment', 'paid', 'under_review', 'refund_processing']],
    ['known', 'follow', ['awaiting_authentication']],
    ['known', 'watch', ['compensated', 'refunded', 'chargeback', 'error', 'denied', 'expired']],
  ] as const)('that is %s: %s of %j, until it is closed', ([phase, stage, statuses]) => {
    const order = { ...newOrder(0), phase };
    for (const status of statuses) {
      const record = { status, everRead: true };
      expect([orderStage(order, record), cardOrderStage(order, record)]).toEqual([stage, stage]);
      expect(orderStage({ ...order, closed: true }, record)).toBe('closed');
    }
  });

  test('that the service took, and that no read has ever found, has to be found', () => {
    const order = { ...newOrder(0), phase: 'known', completion: { phase: 'sent' } } as const;
    const record = { status: 'waiting_payment', everRead: false };
    expect(orderStage(order, record)).toBe('find');
    expect(threeDSecureStage(order, record)).toBe('find');
    expect(orderStage(order, { ...record, status: 'denied' })).toBe('watch');
    expect(orderStage({ ...order, phase: 'unknown' }, record)).toBe('resolve');
  });

  test('by card awaits one before anything was sent, and never later', () => {
    const card = { stage: 'awaited' } as const;
    const stageOf = (phase: 'unsent' | 'unknown' | 'known', closed = false) =>
      cardOrderStage({ phase, closed, card }, { status: 'awaiting_card', everRead: true });
    const stages = [stageOf('unsent'), stageOf('unknown'), stageOf('known'), stageOf('unsent', true)];
    expect(stages).toEqual(['await_card', 'resolve', 'follow', 'closed']);
  });

  test.for([
    ['unsent', 'submitting', 'open', false, 'submit'],
    ['unknown', 'denied', 'open', false, 'resolve'],
    ['void', 'rejected', 'open', false, 'watch'],
    ['known', 'awaiting_authentication', 'open', false, 'authenticate'],
    ['known', 'waiting_payment', 'open', false, 'follow'],
    ['known', 'expired', 'open', false, 'watch'],
    ['known', 'submitting', 'to_send', false, 'complete'],
    ['known', 'denied', 'to_send', false, 'complete'],
    ['known', 'awaiting_card', 'to_send', true, 'await_card'],
    ['known', 'submission_unknown', 'unknown', false, 'resolve_completion'],
    ['known', 'expired', 'unknown', false, 'watch'],
    ['known', 'awaiting_authentication', 'sent', false, 'follow'],
    ['known', 'compensated', 'sent', false, 'watch'],
  ] as const)(
    'with 3D Secure that is %s and %s, its completion %s, a card awaited: %s: %s',
    ([phase, status, completion, awaitsCard, stage]) => {
      const card = { stage: awaitsCard ? 'awaited' : 'none' } as const;
      const order = { phase, card, completion: { phase: completion }, closed: false };
      const record = { status, everRead: true };
      expect(threeDSecureStage(order, record)).toBe(stage);
      expect(threeDSecureStage({ ...order, closed: true }, record)).toBe('closed');
    },
  );
});

describe('a refund', () => {
  test.for([
    ['to_send', 'request', 'request'],
    ['asked', 'confirm', 'decide'],
    ['unknown', 'decide', 'decide'],
    ['refused', 'decide', 'decide'],
    ['failed', 'decide', 'decide'],
    ['over', 'closed', 'closed'],
  ] as const)('that is %s: %s, and %s when it is unconfirmed', ([phase, confirmed, unconfirmed]) => {
    expect(refundStage(phase, { needsOperator: false, unconfirmed: false })).toBe(confirmed);
    expect(refundStage(phase, { needsOperator: false, unconfirmed: true })).toBe(unconfirmed);
  });

  test('that is over is closed once it needs no operator any more', () => {
    expect(refundStage('over', { needsOperator: true, unconfirmed: false })).toBe('acknowledge');
    expect(refundStage('asked', { needsOperator: true, unconfirmed: false })).toBe('confirm');
  });

  test.for([
    ['unknown', false, {}, 'DecisionNeeded'],
    ['asked', false, {}, 'DecisionNeeded'],
    ['unknown', false, { nothing_queued: false }, 'DecisionNeeded'],
    ['unknown', false, { nothing_queued: true }, undefined],
    ['asked', false, { nothing_queued: true }, undefined],
    ['refused', false, {}, undefined],
    ['refused', true, {}, undefined],
    ['failed', false, {}, undefined],
    ['failed', true, {}, 'DecisionNeeded'],
    ['failed', true, { nothing_queued: true }, undefined],
    ['decided', false, {}, undefined],
    ['decided', true, {}, 'DecisionNeeded'],
  ] as const)(
    'that is %s, perhaps by an earlier request: %s, is retried by %j: %s',
    ([phase, mayShowEarlier, message, refusal]) => {
      expect(retryRefundRefusal({ phase, mayShowEarlier }, message)?.type).toBe(refusal);
    },
  );

  test('is not made of another order, nor of one that was charged back', () => {
    expect(refundObjection('It is order 2.', 'paid')).toContain('It is order 2.');
    expect(refundObjection(null, 'chargeback')).toContain('give it twice');
    expect([refundObjection(null, 'paid'), refundObjection(null, null)]).toEqual([null, null]);
  });

  test.for([
    ...['denied', 'waiting_payment'].map(
      (word) => [word, `as ${word}: it was not charged, so that there is nothing to refund.`] as const,
    ),
    ...['refunding', 'pending_refund', 'under_review'].map(
      (word) => [word, 'may be going back already'] as const,
    ),
  ])('is not made of an order that reads as %s', ([word, why]) => {
    expect(refundObjection(null, word)).toContain(why);
  });

  test.for<[number | undefined, { value: number | null } | undefined, boolean]>([
    [10, { value: 89.9 }, true],
    [89.91, { value: 89.9 }, true],
    [89.9, { value: 89.9 }, false],
    [undefined, { value: 89.9 }, false],
    [10, { value: null }, false],
    [10, undefined, false],
  ])('of %j, of an order of %j, is refused: %s', ([value, order, isRefused]) => {
    const whole =
      'is not the value of the order, R$ 89.90: only the whole order can be refunded. Leave it out';
    expect(refundValueProblem(value, order)).toBe(isRefused ? whole : undefined);
  });
});
