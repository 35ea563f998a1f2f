import type { Incident } from './incident.js';
import { everyCall, needsOperator, payoutEnds, payoutPath, startPayout } from './steps.js';

const codes = ['fee-6101', 'fee-6102', 'fee-6103'] as const;

export const throttled: Incident = {
  title: 'No payout has gone out since the morning',
  symptom:
    'Three fees of R$ 90.00, fee-6101 to fee-6103, have been waiting since the morning. The cashier got tired of it ' +
    'and has just paid fee-6102 in cash.',
  setUp: async (stack) => {
    const body = { error: { code: 'too_many_requests', message: 'Your limit for today is used up.' } };
    const fault = { effect: 'none', status: 429, headers: { 'retry-after': '120' }, body };
    await stack.sandbox.fault({ endpoint: 'POST /v1/payout/pix', fault, times: everyCall });
    for (const code of codes) await startPayout(stack, code, 90);
    for (const code of codes) await needsOperator(stack, payoutPath(code), 'not_sent');
  },
  expected: [
    payoutEnds('fee-6101', 'done', 'done'),
    payoutEnds('fee-6102', 'abandoned'),
    payoutEnds('fee-6103', 'done', 'done'),
  ],
};
