import type { Incident } from './incident.js';
import { needsOperator, payoutEnds, payoutPath, startPayout } from './steps.js';

const code = 'rent-4422';

export const unknownAndNotMade: Incident = {
  title: 'Another rent is neither paid nor failed',
  symptom:
    'The landlord of rent-4422, R$ 1750.00, has received nothing. The system shows submission_unknown. The network ' +
    'team reports that a firewall was restarted at about that time.',
  setUp: async (stack) => {
    await stack.sandbox.fault({
      endpoint: 'POST /v1/payout/pix',
      fault: 'dropped-before',
      partner_code: code,
    });
    await startPayout(stack, code, 1750);
    await needsOperator(stack, payoutPath(code), 'submission_unknown');
  },
  expected: [payoutEnds(code, 'done', 'done')],
};
