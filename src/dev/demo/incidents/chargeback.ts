import type { Incident } from './incident.js';
import { needsOperator, orderEnds, orderPath, reaches, startOrder } from './steps.js';

const code = 'order-1010';

export const chargeback: Incident = {
  title: 'The bank has taken the money of an order back',
  symptom:
    'The account statement shows R$ 310.00 withdrawn, reference order-1010. The goods were delivered two weeks ago, ' +
    'and the carrier has a signature.',
  setUp: async (stack) => {
    await startOrder(stack, code, 310);
    await reaches(stack, orderPath(code), 'compensated');
    await stack.sandbox.setStatus('orders', code, 'chargeback');
    await needsOperator(stack, orderPath(code), 'chargeback');
  },
  expected: [orderEnds(code, 'chargeback')],
};
