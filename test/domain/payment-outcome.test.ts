import { describe, expect, test } from 'vitest';
import type { Attention } from '../../src/domain/attention.js';
import type { PaymentKind } from '../../src/domain/kinds.js';
import { awaitedPayment, nexusTaskQueue, outcomeWorkflowId } from '../../src/domain/nexus.js';
import { hasOutcome, outcomeReads } from '../../src/domain/payment-outcome.js';

const shown = (kind: PaymentKind, status: string, attention: Attention | null = null, closed = false) => ({
  ...{ kind, status, attention, closed },
});

describe('an outcome is', () => {
  test.for([
    ['the end of a payout', shown('payout', 'done'), true],
    ['a payout that was given up', shown('payout', 'abandoned'), true],
    ['a payout that was refused', shown('payout', 'rejected'), true],
    ['not a payout under way', shown('payout', 'processing'), false],
    ['not a word of the service that nobody knows', shown('payout', 'under_review'), false],
    ['the settlement of an order', shown('card_order', 'compensated'), true],
    ['the refund of an order', shown('hosted_checkout', 'refunded'), true],
    ['an order that was never sent', shown('card_order', 'cancelled'), true],
    ['not an order that is paid and not settled', shown('card_order', 'paid'), false],
    ['not a checkout that nobody has paid yet', shown('hosted_checkout', 'waiting_payment'), false],
    ['whatever needs an operator', shown('payout', 'claimed', 'overdue'), true],
    ['whatever has closed', shown('payout', 'claimed', null, true), true],
  ] as const)('%s', ([, state, holds]) => {
    expect(hasOutcome(state, [])).toBe(holds);
  });

  test('a status that is named, beside the others', () => {
    expect(hasOutcome(shown('card_order', 'paid'), ['paid'])).toBe(true);
    expect(hasOutcome(shown('card_order', 'denied'), ['paid'])).toBe(true);
    expect(hasOutcome(shown('card_order', 'waiting_payment'), ['paid'])).toBe(false);
  });
});

test('an outcome is read within about a tenth of the time that the payment took, and at least hourly', () => {
  const { firstWaitMs, growth, longestWaitMs } = outcomeReads;
  let takenMs = 0;
  let reads = 0;
  for (let waitMs = firstWaitMs; takenMs < 30 * 24 * 3_600_000; waitMs *= growth) {
    const nextMs = Math.min(waitMs, longestWaitMs);
    expect(nextMs).toBeLessThanOrEqual(firstWaitMs + takenMs / 10 + 1);
    takenMs += nextMs;
    reads += 1;
  }
  expect(reads).toBeLessThan(800);
});

test('what awaits a payment shows by its id which one', () => {
  expect(awaitedPayment(outcomeWorkflowId('payout-rent-1', 'a-b'))).toEqual({
    ...{ kind: 'payout', partner_code: 'rent-1' },
  });
  expect(awaitedPayment(outcomeWorkflowId('order-42', 'a-b'))).toEqual({ kind: 'order', partner_code: '42' });
  for (const id of ['payout-rent-1', 'order-42', 'payment-outcome:refund-1:a', 'bulk-retry-payout-1:2'])
    expect(awaitedPayment(id)).toBeUndefined();
});

test('each caller has a task queue of its own', () => {
  expect(nexusTaskQueue('payments', 'oms')).toBe('payments-nexus-oms');
});
