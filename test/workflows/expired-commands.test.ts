import { expect } from 'vitest';
import { test as base } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

const tenMinutes = 600_000;
const operator = { by: 'ana', reason: 'a test' };

/** A failed payout with a retry whose list hangs for more than an hour and then fails, and a command that waits behind it. */
const test = base.extend('behindHangingList', async ({ clock, payouts, sandbox, slowList, stack }) => {
  sandbox.reset();
  sandbox.list({ per_page: 1 });
  const code = freshCode();
  const payout = await payouts.failed(code);
  for (let other = 0; other < 7; other += 1) await payouts.start(freshCode());
  await clock.pass('1 hour');
  const outcomeOf = async (name: 'retryPayout' | 'abandonPayout') => {
    let outcome: Promise<string> | undefined;
    slowList(tenMinutes, (page) => {
      if (page === 1) {
        outcome ??= stack.take(payout.workflowId, name, operator).then(({ status }) => status, refusalOf);
      }
      if (page === 7) {
        sandbox.fault({ endpoint: 'GET /v1/payouts', times: 100, fault: { effect: 'none', status: 503 } });
      }
    });
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('CouldNotRead');
    return outcome;
  };
  return { code, outcomeOf, payout };
});

test('a command that waits until its deadline is refused, and nothing is sent', async ({
  behindHangingList: { code, outcomeOf, payout },
  payouts,
}) => {
  expect(await outcomeOf('retryPayout')).toBe('Expired');
  expect(payouts.madeCodes(code)).toEqual([code]);
  const { timeline } = await payout.state();
  expect(timeline.at(-1)?.what).toMatch(/It has waited 7\d minutes, and is not executed/);
});

test('an abandonment that waits beyond its deadline is executed', async ({
  behindHangingList: { code, outcomeOf },
  payouts,
}) => {
  expect(await outcomeOf('abandonPayout')).toBe('abandoned');
  expect(payouts.madeCodes(code)).toEqual([code]);
});
