import type { Incident } from './incident.js';
import { accepted, needsOperator, orderPath, reaches, startOrder } from './steps.js';

const code = 'order-9090';
const refund = `${orderPath(code)}/refund`;

export const refundUnconfirmed: Incident = {
  title: 'A customer has no refund',
  symptom:
    'The customer of order-9090 was promised R$ 120.00 back and has received nothing. Support asks whether they may ' +
    'refund it once more in the dashboard of the service.',
  setUp: async (stack) => {
    await startOrder(stack, code, 120);
    await reaches(stack, orderPath(code), 'compensated');
    await stack.sandbox.fault({
      endpoint: 'PUT /v1/order/{id}/refund',
      fault: 'dropped-before',
      partner_code: code,
    });
    await accepted(stack.oms.post(refund, { reason: 'returned goods' }));
    await needsOperator(stack, refund, 'refund_unconfirmed');
  },
  expected: [{ path: refund, code, status: 'refunded', records: ['refunded'] }],
};
