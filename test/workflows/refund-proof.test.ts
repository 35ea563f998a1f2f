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
    const usable = applyReading(payment, serviceId, 'command', { kind: 'read', reading });
    const { objection, stage } = payment;
    const { kind } = requestVerdict({ objection, stage, usable }, false);
    const wanted = { partnerCode, previousFailure, rightCentavos, serviceId };
    expect(allowsRequest(wanted, reading)).toBe(kind === 'request');
  },
);
