import { expect } from 'vitest';
import { billableActions } from '../../scripts/bench/history-cost.mjs';
import allBudgets from '../../scripts/bench/budgets.json' with { type: 'json' };
import { statusIs, type Payment } from '../support/payment.js';
import { test } from '../support/payments.js';
import { freshCode } from '../support/requests.js';
import type { TestStack } from '../support/test-stack.js';

const { wholeLifeActions: budgets } = allBudgets;

async function actionsOf(stack: TestStack, payment: Payment<unknown>): Promise<string[]> {
  return billableActions((await stack.handleOf(payment).fetchHistory()).events ?? []);
}

test('the whole life of a payout that is done at its first read costs no more billable actions than its budget', async ({
  payouts,
  sandbox,
  stack,
}) => {
  const code = freshCode();
  const payout = await payouts.start(code, '', { reconciled: true });
  await payout.until(statusIs('claimed'), '1 second');
  sandbox.setPayoutStatus(code, 'done');
  await payout.until(statusIs('done'), '1 second');
  expect(await payout.result()).toMatchObject({ status: 'done', closed: true });
  const actions = await actionsOf(stack, payout);
  expect(actions.length, actions.join('\n')).toBeLessThanOrEqual(budgets['payout done at its first read']);
});

test.for([
  { settled: '1 day', atMost: budgets['order settled a day later'] },
  { settled: '30 days', atMost: budgets['order settled 30 days later'] },
] as const)(
  'the whole life of an order that is settled $settled after its payment costs $atMost billable actions at most',
  async ({ atMost, settled }, { clock, orders, sandbox, stack }) => {
    const code = freshCode();
    const order = await orders.start(code);
    await order.until(statusIs('waiting_payment'), '1 second');
    const moves = async (status: string) => {
      sandbox.setOrderStatus(code, status);
      await order.postback({ id: orders.idOf(code), status });
      await order.until(statusIs(status), '1 second');
    };
    await moves('paid');
    await clock.pass(settled);
    await moves('compensated');
    expect(await order.result('7 days')).toMatchObject({ status: 'compensated', closed: true });
    const actions = await actionsOf(stack, order);
    expect(actions.length, actions.join('\n')).toBeLessThanOrEqual(atMost);
  },
);
