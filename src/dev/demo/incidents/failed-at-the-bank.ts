import type { Incident } from './incident.js';
import { failPayout, payoutEnds } from './steps.js';

const code = 'wage-3307';

export const failedAtTheBank: Incident = {
  title: 'An employee waits for a wage',
  symptom:
    'Ana has not received her wage of R$ 2150.00, reference wage-3307. Her pix key is the one that was used last ' +
    'month. The status page of the service reports a disturbance this morning that is over.',
  setUp: (stack) => failPayout(stack, code, 2150, 'sandbox+error-once@example.com'),
  expected: [payoutEnds(code, 'done', 'error', 'done')],
};
