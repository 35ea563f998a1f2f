import { expect, test } from 'vitest';
import { payoutInput } from '../../src/contract/payout.js';
import { AtOnce } from '../../src/gateway/http/at-once.js';
import { startedPayout } from '../../src/gateway/payments/started-states.js';
import { SharedWaits } from '../../src/gateway/payments/shared-waits.js';
import { pixPayout } from '../support/requests.js';

test('the more payments are waited for by queries, the less often each is asked', async () => {
  const [payments, seconds] = [300, 3];
  let queries = 0;
  const state = startedPayout(payoutInput.parse(pixPayout('rent-1')), 0);
  const payment = (number: number) => ({
    workflowId: `payout-${String(number)}`,
    awaitStatus: () => Promise.reject(new Error('No Update is sent.')),
    state: () => {
      queries += 1;
      return Promise.resolve(state);
    },
  });
  const waits = new SharedWaits(new AtOnce(payments));
  const wait = { caller: 'shop', statuses: ['done'], waitMs: seconds * 1_000, by: 'query' as const };
  await Promise.all(Array.from({ length: payments }, (_, number) => waits.wait(payment(number), wait)));
  // Each at the end, and in all fifty a second before, give or take those of the first moments.
  expect(queries).toBeLessThan(payments + (seconds + 1) * 50);
});
