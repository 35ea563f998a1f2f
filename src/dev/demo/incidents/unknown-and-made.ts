import type { Incident } from './incident.js';
import { needsOperator, payoutEnds, payoutPath, startPayout } from './steps.js';

const code = 'rent-4410';

export const unknownAndMade: Incident = {
  title: 'A rent is neither paid nor failed',
  symptom:
    'Property management asks whether the rent of R$ 1900.00, reference rent-4410, may be paid by bank transfer ' +
    'instead: their system has shown submission_unknown for an hour.',
  setUp: async (stack) => {
    await stack.sandbox.fault({
      endpoint: 'POST /v1/payout/pix',
      fault: 'accepted-then-dropped',
      partner_code: code,
    });
    await startPayout(stack, code, 1900, 'sandbox+unlisted+postback-silent@example.com');
    await needsOperator(stack, payoutPath(code), 'submission_unknown');
  },
  expected: [payoutEnds(code, 'done', 'done')],
};
