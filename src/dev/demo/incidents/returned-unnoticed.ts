import type { Incident } from './incident.js';
import { payoutEnds, payoutPath, reaches, startPayout } from './steps.js';

const code = 'freight-5120';

export const returnedUnnoticed: Incident = {
  title: 'Money has come back, and the payout is shown as done',
  symptom:
    'Accounting finds R$ 640.00 on the account that nobody expected, reference freight-5120: a payout to a carrier ' +
    'that is shown as done. The carrier has closed that account; its pix key is now frete@example.com. It is still owed.',
  setUp: async (stack) => {
    await startPayout(stack, code, 640);
    await reaches(stack, payoutPath(code), 'done');
    await stack.sandbox.postbacksOff();
    await stack.sandbox.setStatus('payouts', code, 'error');
  },
  expected: [payoutEnds(code, 'done', 'error', 'done')],
};
