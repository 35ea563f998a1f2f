import type { Incident } from './incident.js';
import { everyCall, hasProblem, needsOperator, payoutEnds, payoutPath, startPayout } from './steps.js';

const code = 'tax-7001';

export const credentialsRejected: Incident = {
  title: 'Nothing moves after a maintenance of the service',
  symptom:
    'The tax payment tax-7001 of R$ 3100.00 is due today and has been waiting for an hour. The service had a ' +
    'maintenance last night, in which accounts were moved.',
  setUp: async (stack) => {
    const body = { error: { code: 'unauthorized', message: 'The client secret is not valid.' } };
    const fault = { effect: 'none', status: 401, body };
    await stack.sandbox.fault({ endpoint: 'POST /v1/auth', fault, times: everyCall });
    await stack.sandbox.expireToken();
    await startPayout(stack, code, 3100);
    await needsOperator(stack, payoutPath(code), 'not_sent');
    await hasProblem(stack, 'credentials');
  },
  expected: [payoutEnds(code, 'done', 'done')],
};
