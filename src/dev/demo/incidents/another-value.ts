import type { Incident } from './incident.js';
import { everyCall, needsOperator, orderEnds, orderPath, startOrder } from './steps.js';

const code = 'order-8080';

export const anotherValue: Incident = {
  title: 'The shop does not know whether to ship an order',
  symptom:
    'The customer of order-8080, R$ 80.00, shows a receipt of the card. The shop ships only what is paid, and is ' +
    'shown inconsistent_answer.',
  setUp: async (stack) => {
    await stack.sandbox.fault({
      endpoint: 'GET /v1/order/{id}',
      fault: 'value-other',
      partner_code: code,
      times: everyCall,
    });
    await startOrder(stack, code, 80);
    await needsOperator(stack, orderPath(code), 'inconsistent_answer');
  },
  expected: [orderEnds(code, 'compensated')],
};
