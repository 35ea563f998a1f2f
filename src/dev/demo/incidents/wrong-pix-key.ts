import type { Incident } from './incident.js';
import { payoutEnds, refusePayout } from './steps.js';

const code = 'supplier-2101';

export const wrongPixKey: Incident = {
  title: 'A supplier has not been paid',
  symptom:
    'The workshop asks for its R$ 480.00 of last week, invoice supplier-2101. Purchasing has released it, and has ' +
    'a mail of the workshop with its pix key: oficina@example.com.',
  setUp: (stack) => refusePayout(stack, code, 480),
  expected: [payoutEnds(code, 'done', 'done')],
};
