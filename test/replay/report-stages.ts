import { proxySinks, type Sinks, type WorkflowInterceptorsFactory } from '@temporalio/workflow';
import { ValidationPayment } from '../../workflows/account-validation/payment.js';
import { CardOrderPayment } from '../../workflows/order/card-order-payment.js';
import { HostedCheckoutPayment } from '../../workflows/order/hosted-checkout-payment.js';
import { ThreeDSecurePayment } from '../../workflows/order/three-d-secure-payment.js';
import { PayoutPayment } from '../../workflows/payout/payment.js';
import { RefundPayment } from '../../workflows/refund/payment.js';

/** Told each stage that a payment is seen in, at a replay as well. */
export type StageSinks = Sinks & { stages: { seen(stage: string): void } };

const { stages } = proxySinks<StageSinks>();

type Staged = { readonly stage: string };

function reportStages(prototype: Staged): void {
  const before = Object.getOwnPropertyDescriptor(prototype, 'stage');
  Object.defineProperty(prototype, 'stage', {
    get(this: Staged) {
      const stage = String(before?.get?.call(this));
      stages.seen(stage);
      return stage;
    },
  });
}

const payments = [
  ...[PayoutPayment, CardOrderPayment, HostedCheckoutPayment, ThreeDSecurePayment],
  ...[RefundPayment, ValidationPayment],
];
for (const { prototype } of payments) reportStages(prototype);

export const interceptors: WorkflowInterceptorsFactory = () => ({});
