import type { Incident } from './incident.js';
import { accepted, failPayout, needsOperator, payoutEnds, payoutPath } from './steps.js';

const code = 'invoice-1111';

export const givenUpAndPaid: Incident = {
  title: 'A payee reports that money has arrived twice',
  symptom:
    'The gardener got the R$ 75.00 of invoice-1111 in cash yesterday, because the payout had failed. Today the same ' +
    'amount is on his account. He asks what to do with it.',
  setUp: async (stack) => {
    await failPayout(stack, code, 75, 'sandbox+error@example.com');
    await accepted(stack.oms.post(`${payoutPath(code)}/abandon`, { reason: 'paid in cash' }));
    await stack.sandbox.setStatus('payouts', code, 'done');
    await needsOperator(stack, payoutPath(code), 'inconsistent_answer');
  },
  expected: [payoutEnds(code, 'done', 'done')],
};
