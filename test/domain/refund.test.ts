import { expect, test } from 'vitest';
import {
  cancelled,
  failed,
  newRefund,
  requestedAgain,
  resolvedAs,
  shownAs,
  taken,
  unconfirmed,
  unknown,
  unusable,
  type Refund,
  type RefundChange,
} from '../../src/domain/refund.js';

const start = newRefund(0);
const asked: Refund = { ...start, ...taken(5, 'taken'), requests: 1 };
const lost: Refund = { ...start, ...unknown('no answer'), requests: 1 };
const refused: Refund = { ...start, ...failed('refused', '422'), requests: 1 };
const never: Refund = { ...start, ...cancelled() };
const denied: Refund = { ...lost, ...resolvedAs(lost, 'not_refunded') };
const found: Refund = { ...lost, ...resolvedAs(lost, 'refunded') };
const late: Refund = { ...asked, ...unconfirmed('ten days') };
const underWay: Refund = { ...denied, shown: 'refund_processing' };

test.for<[string, Refund, RefundChange, object]>([
  ['was taken', start, taken(5, 'taken'), { phase: 'asked', askedAt: 5 }],
  ['is not confirmed in time', asked, unconfirmed('ten days'), { phase: 'asked', askedAt: null }],
  ['got no answer', start, unknown('no answer'), { phase: 'unknown', askedAt: null }],
  ['was not usable', start, unusable('value'), { phase: 'over', end: 'rejected', problems: 'value' }],
  ['is requested again', refused, requestedAgain(refused, 9), { phase: 'to_send', mayShowEarlier: false }],
  ['is requested again without an answer', lost, requestedAgain(lost, 9), { mayShowEarlier: true }],
  ['is requested again unconfirmed', late, requestedAgain(late, 9), { mayShowEarlier: true }],
  ['is requested after all', never, requestedAgain(never, 9), { end: null, mayShowEarlier: false }],
  ['is requested once found', denied, requestedAgain(denied, 9), { outcome: null, mayShowEarlier: true }],
  ['was refused and is found', refused, resolvedAs(refused, 'refunded'), { mayShowEarlier: true }],
  ['was refused and is not', refused, resolvedAs(refused, 'not_refunded'), { mayShowEarlier: false }],
])('a refund that %s', ([, before, change, expected]) => {
  expect({ ...before, ...change }).toMatchObject(expected);
});

test.for<[string, Refund, string, object]>([
  ['was requested', asked, 'refunded', { phase: 'over', end: 'refunded' }],
  ['was requested', asked, 'refund_failed', { phase: 'failed' }],
  ['was requested', asked, 'paid', { phase: 'asked', askedAt: 5 }],
  ['got no answer', lost, 'refund_processing', { phase: 'asked', askedAt: 9 }],
  ['was found not to be', denied, 'refunded', { phase: 'over', end: 'refunded' }],
  ['was found not to be', denied, 'refund_failed', { phase: 'decided' }],
  ['was found not to be', denied, 'refund_processing', { phase: 'asked', outcome: null }],
  ['was found to be', found, 'refund_processing', { phase: 'asked', outcome: null }],
  ['was shown so before', underWay, 'refund_processing', { phase: 'decided', outcome: 'not_refunded' }],
])('a refund that %s and is shown as %s', ([, before, status, expected]) => {
  expect({ ...before, ...shownAs(before, status, 9) }).toMatchObject(expected);
});

test('a failure that was shown before a request says nothing of that request, until another status is shown', () => {
  const failedOnce: Refund = { ...asked, ...shownAs(asked, 'refund_failed', 9) };
  const again: Refund = { ...failedOnce, ...requestedAgain(failedOnce, 10), ...taken(11, 'taken') };
  expect({ ...again, ...shownAs(again, 'refund_failed', 12) }).toMatchObject({ phase: 'asked' });
  const moving: Refund = { ...again, ...shownAs(again, 'refund_processing', 13) };
  expect({ ...moving, ...shownAs(moving, 'refund_failed', 14) }).toMatchObject({ phase: 'failed' });
});
