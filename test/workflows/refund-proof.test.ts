import { expect, test } from 'vitest';
import { refundInput } from '../../src/contract/refund.js';
import { allowsRequest, requestVerdict } from '../../src/domain/refund-proofs.js';
import { RefundPayment } from '../../workflows/refund/payment.js';
import { applyReading } from '../../workflows/shared/order-reads.js';
import { runOf } from '../support/run-of.js';

const [serviceId, partnerCode] = ['ord-7', 'shoes-1'];
const input = refundInput.parse({ partner_code: partnerCode, service_id: serviceId, value: 10 });
const fits = { service_id: serviceId, partner_code: null, value_centavos: 1_000 };
const readings = [fits, { ...fits, service_id: 'ord-8' }, { ...fits, value_centavos: 999 }];
const failures = ['refund_failed', 'refund_denied'];
const statuses = [
  ...['paid', 'compensated', 'waiting_payment', 'denied', 'chargeback', 'refunding', 'refunded', 'error'],
  ...['refund_processing', ...failures, null],
];

test.for(
  readings.flatMap((reading) =>
    statuses.flatMap((status) =>
      [null, ...failures].map((previousFailure) => ({ ...reading, status, previousFailure })),
    ),
  ),
)(
  'its call sends exactly when the refund finds nothing in the same reading against it: $status of $service_id, $value_centavos, after $previousFailure',
  ({ previousFailure, ...reading }) => {
    const payment = new RefundPayment(input, runOf(`refund-${serviceId}`));
    payment.set({ previousFailure });
    const { rightCentavos } = payment.record;
    const usable = applyReading(payment, serviceId, { cause: 'command', read: { kind: 'read', reading } });
    const { objection, stage } = payment;
    const { kind } = requestVerdict({ objection, stage, usable }, false);
    const wanted = { partnerCode, previousFailure, rightCentavos, serviceId };
    expect(allowsRequest(wanted, reading)).toBe(kind === 'request');
  },
);

test.for([
  ['nothing was requested before', {}, 'rejected', 'closed'],
  ['an earlier request was refused', { requests: 1 }, 'rejected', 'decide'],
  ['an earlier request may be queued', { requests: 1, mayShowEarlier: true }, 'unconfirmed', 'decide'],
] as const)('a request whose input is not usable, and %s', ([, known, status, stage]) => {
  const payment = new RefundPayment(input, runOf(`refund-${serviceId}`));
  payment.set(known);
  payment.applySubmitted({ kind: 'invalid', reason: 'value is not that of the order' });
  expect(payment.stage).toBe(stage);
  expect(payment.view()).toMatchObject({ status, closed: false });
});

test('what its call has read before the request is shown at the time of that', () => {
  const run = runOf(`refund-${serviceId}`);
  const payment = new RefundPayment(input, run);
  const reading = { ...fits, status: 'paid' };
  applyReading(payment, serviceId, { at: -60_000, cause: 'command', read: { kind: 'read', reading } });
  expect(payment.view().last_read).toMatchObject({ at: '1969-12-31T23:59:00.000Z', status: 'paid' });
});
