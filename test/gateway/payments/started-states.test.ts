import { expect, test } from 'vitest';
import { accountValidationInput } from '../../../src/contract/account-validation.js';
import { cardOrderInput, hostedCheckoutInput, threeDSecureOrderInput } from '../../../src/contract/order.js';
import { payoutInput } from '../../../src/contract/payout.js';
import { refundInput } from '../../../src/contract/refund.js';
import type { PaymentState } from '../../../src/contract/state.js';
import {
  startedAccountValidation,
  startedOrder,
  startedPayout,
  startedRefund,
} from '../../../src/gateway/payments/started-states.js';
import { ValidationPayment } from '../../../workflows/account-validation/payment.js';
import { CardOrderPayment } from '../../../workflows/order/card-order-payment.js';
import { HostedCheckoutPayment } from '../../../workflows/order/hosted-checkout-payment.js';
import { ThreeDSecurePayment } from '../../../workflows/order/three-d-secure-payment.js';
import { PayoutPayment } from '../../../workflows/payout/payment.js';
import { RefundPayment } from '../../../workflows/refund/payment.js';
import type { Payment } from '../../../workflows/shared/payment.js';
import { runOf } from '../../support/run-of.js';

const owner = 'shop-a';
/** When the runs begin. */
const now = 0;

const person = { first_name: 'Ana', last_name: 'Souza', document: '52998224725' };
const customer = {
  name: 'Ana Souza',
  email: 'ana@example.com',
  phone: '11999990000',
  document: person.document,
};
const order = {
  partner_code: 'shoes-1',
  value: 129.9,
  description: 'Shoes',
  payment_method: 'credit_card',
};

const payout = payoutInput.parse({
  ...person,
  ...{ partner_code: 'rent-1', value: 1500.05, method: 'pix', pix: person.document },
});
const transfer = {
  ...person,
  partner_code: 'rent-1',
  value: 10,
  method: 'transfer',
  bank_code: '001',
  account: '12345-6',
  agency: '1234',
  account_type: 'checking',
};
const validated = payoutInput.parse({ ...transfer, validate_account: true });
const unvalidated = payoutInput.parse({ ...transfer, send_before: '2031-07-01T00:00:00Z' });
const cardOrder = cardOrderInput.parse({ order, customer });
const checkout = hostedCheckoutInput.parse({
  order: { ...order, redirect_url: 'https://shop.example/thanks' },
  customer,
});
const threeDSecure = threeDSecureOrderInput.parse({ order, customer });
const refund = refundInput.parse({
  ...{ partner_code: 'shoes-1', service_id: 'ord-7', value: 10 },
  ...{ by: 'ana', reason: 'sold out' },
});
const validation = accountValidationInput.parse({
  ...person,
  ...{ partner_code: 'check-1', bank_code: '001', account: '12345-6' },
});

const kinds: [kind: string, answered: PaymentState, payment: Payment][] = [
  [
    'a payout',
    startedPayout(payout, now, owner),
    new PayoutPayment(payout, runOf('payout-rent-1', { owner })),
  ],
  [
    'a transfer whose account is validated first',
    startedPayout(validated, now, owner),
    new PayoutPayment(validated, runOf('payout-rent-1', { owner })),
  ],
  [
    'a transfer that is sent before a moment',
    startedPayout(unvalidated, now),
    new PayoutPayment(unvalidated, runOf('payout-rent-1')),
  ],
  [
    'a card order',
    startedOrder('card_order', cardOrder.order, now, owner),
    new CardOrderPayment(cardOrder, runOf('order-shoes-1', { owner })),
  ],
  [
    'a hosted checkout',
    startedOrder('hosted_checkout', checkout.order, now, owner),
    new HostedCheckoutPayment(checkout, runOf('order-shoes-1', { owner })),
  ],
  [
    'a 3D Secure order',
    startedOrder('three_d_secure_order', threeDSecure.order, now, owner),
    new ThreeDSecurePayment(threeDSecure, runOf('order-shoes-1', { owner })),
  ],
  [
    'a refund',
    startedRefund(refund, now, owner),
    new RefundPayment(refund, runOf('refund-ord-7', { owner })),
  ],
  [
    'an account validation',
    startedAccountValidation(validation, now, owner),
    new ValidationPayment(validation, runOf('account-validation-check-1', { owner })),
  ],
];

test.each(kinds)(
  'the start of %s is answered with the very state that its workflow shows first',
  (...[, answered, payment]) => {
    expect(answered).toEqual(payment.view());
    // What it shows is what follows from what is known, from the first moment on.
    payment.conclude();
    expect(answered).toEqual(payment.view());
  },
);
