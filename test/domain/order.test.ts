import { expect, test } from 'vitest';
import { spans } from '../../src/domain/cadence.js';
import {
  ended,
  endedUnproven,
  newOrder,
  odd,
  orderStatus,
  overdue,
  refused,
  shownAs,
  taken,
  timeOver,
  unknown,
  unusable,
  voided,
  type Order,
  type OrderChange,
} from '../../src/domain/order.js';

const time = { now: 1_000, scale: 2 };
const start = newOrder(0);
const customer = { override: 'awaiting_authentication', expiresAfterMs: 60 };
const known: Order = { ...start, ...taken(start, { expiresAfterMs: null }, time) };
const waiting: Order = { ...start, ...taken(start, customer, time) };
const expired: Order = { ...waiting, shown: 'waiting_payment', override: 'expired', expiresAt: null };
const show = (order: Order, status: string, before = 'submitting') =>
  shownAs(order, 'hosted_checkout', status, { before, ...time });

const overdueFrom = 1_000 + 2 * spans.orderSettlementMs;
const settling = { expiresAt: 1_120, overdueFrom };
const paid = { expiresAt: null, override: null, overdueFrom };
const paidLate = 'The order had expired, and the service now shows it as paid.';
const awaiting = 'awaiting_authentication';

test.for<[string, Order, OrderChange, string, object]>([
  ['was taken', start, taken(start, { expiresAfterMs: null }, time), 'submitting', { expiresAt: null }],
  ['waits for its customer', start, taken(start, customer, time), awaiting, settling],
  ['got no answer', start, unknown('no answer'), 'submission_unknown', { reason: 'no answer' }],
  ['is found to have come to nothing', start, voided(), 'rejected', { closed: false }],
  ['was refused', start, refused(), 'rejected', { closed: false }],
  ['was denied, and is cancelled', start, endedUnproven('cancelled'), 'cancelled', { closed: false }],
  ['was not sent', start, ended('rejected', 'too late'), 'rejected', { closed: true }],
  ['was not usable', start, unusable('value is missing'), 'rejected', { problems: 'value is missing' }],
  ['is shown as unpaid', waiting, show(waiting, 'waiting_payment'), awaiting, { expiresAt: 1_120 }],
  ['is shown as paid', waiting, show({ ...waiting, overdueFrom: 9 }, 'paid'), 'paid', paid],
  ['is settled', known, show(known, 'compensated'), 'compensated', { overdueFrom: null }],
  ['is shown by a word that is not known', waiting, show(waiting, 'held'), 'held', { expiresAt: 1_120 }],
  ['had expired and is denied', expired, show(expired, 'denied'), 'denied', { oddities: [] }],
  ['had expired and is paid', expired, show(expired, 'paid'), 'paid', { oddities: [paidLate] }],
])('an order that %s', ([, before, change, status, more]) => {
  const order: Order = { ...before, ...change };
  expect(orderStatus(order)).toBe(status);
  expect(order).toMatchObject(more);
});

test('an order that a person had found to have come to nothing, and that is there after all, is odd', () => {
  const order: Order = { ...start, ...voided() };
  expect(taken(order, customer, time).oddities).toHaveLength(1);
  expect(taken(known, customer, time)).toEqual({});
});

const unread = 'Its time is over, and no read shows whether it was paid.';
const unpaid = { shown: 'waiting_payment' };

test.for<[string, Partial<Order>, boolean, object]>([
  ['expires when a read has just shown that nobody has paid', unpaid, true, { override: 'expired' }],
  ['is overdue when no read shows it', unpaid, false, { overdue: unread }],
  ['is overdue when it was never shown', {}, true, { overdue: unread }],
  ['is overdue in a status that is not known', { shown: 'held' }, true, { overdue: unread }],
  ['does not expire once it has moved', { shown: 'paid' }, true, { expiresAt: null }],
])('an order whose time is over %s', ([, given, isRead, change]) => {
  expect(timeOver({ ...waiting, ...given }, 'hosted_checkout', isRead)).toMatchObject(change);
});

test('what is overdue, and what is odd, is reported once', () => {
  expect(overdue({ ...known, overdueFrom: null }, 'late')).toEqual({});
  expect(odd({ ...known, oddities: ['odd'] }, 'odd')).toEqual({});
});
