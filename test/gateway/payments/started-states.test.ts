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
import {
  accountValidation,
  cardOrder,
  hostedCheckout,
  pixPayout,
  threeDSecureOrder,
  transferPayout,
} from '../../support/requests.js';
import { runOf } from '../../support/run-of.js';

const owner = 'shop-a';
/** When the runs begin. */
const now = 0;

const pix = payoutInput.parse(pixPayout('rent-1'));
const validated = payoutInput.parse(transferPayout('rent-1', { validate_account: true }));
const limited = payoutInput.parse(transferPayout('rent-1', { send_before: '2031-07-01T00:00:00Z' }));
const card = cardOrderInput.parse(cardOrder('shoes-1'));
const checkout = hostedCheckoutInput.parse(hostedCheckout('shoes-1'));
const threeDSecure = threeDSecureOrderInput.parse(threeDSecureOrder('shoes-1'));
const refund = refundInput.parse({
  ...{ partner_code: 'shoes-1', service_id: 'ord-7', value: 10, by: 'ana', reason: 'sold out' },
});
const validation = accountValidationInput.parse(accountValidation('check-1'));

const payoutRun = runOf('payout-rent-1', { owner });
const orderRun = runOf('order-shoes-1', { owner });

const kinds: [kind: string, answered: PaymentState, payment: Payment][] = [
  ['a payout', startedPayout(pix, now, owner), new PayoutPayment(pix, payoutRun)],
  [
    'a transfer whose account is validated first',
    startedPayout(validated, now, owner),
    new PayoutPayment(validated, payoutRun),
  ],
  [
    'a transfer that is sent before a moment',
    startedPayout(limited, now),
    new PayoutPayment(limited, runOf('payout-rent-1')),
  ],
  ['a card order', startedOrder('card_order', card.order, now, owner), new CardOrderPayment(card, orderRun)],
  [
    'a hosted checkout',
    startedOrder('hosted_checkout', checkout.order, now, owner),
    new HostedCheckoutPayment(checkout, orderRun),
  ],
  [
    'a 3D Secure order',
    startedOrder('three_d_secure_order', threeDSecure.order, now, owner),
    new ThreeDSecurePayment(threeDSecure, orderRun),
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
