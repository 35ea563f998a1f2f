import type { Incident } from './incident.js';
import { needsOperator, payoutEnds, payoutPath, refusePayout, startPayout } from './steps.js';

const codes = Array.from({ length: 50 }, (_, index) => `wage-12${String(index + 1).padStart(2, '0')}`);
const refused = ['wage-1217', 'wage-1234'];

export const fiftyFailed: Incident = {
  title: 'Fifty people have no wage',
  symptom:
    'Human resources: none of the fifty wages wage-1201 to wage-1250 has arrived. The bank reports that its outage of ' +
    'this morning is over. Two of the fifty have sent a new pix key: bia@example.com (wage-1217) and ' +
    'caio@example.com (wage-1234).',
  setUp: async (stack) => {
    for (const code of refused) await refusePayout(stack, code, 1800);
    const others = codes.filter((code) => !refused.includes(code));
    await Promise.all(others.map((code) => startPayout(stack, code, 1800, 'sandbox+error-once@example.com')));
    for (const code of others) await needsOperator(stack, payoutPath(code), 'payout_failed');
  },
  expected: codes.map((code) =>
    refused.includes(code) ? payoutEnds(code, 'done', 'done') : payoutEnds(code, 'done', 'error', 'done'),
  ),
};
