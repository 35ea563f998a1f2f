import type { OrderSnapshot } from '../../workflows/order/payment.js';
import type { PayoutInput } from '../../src/contract/payout.js';
import { refundWorkflowId } from '../../src/domain/ids.js';
import { ValidationPayment } from '../../workflows/account-validation/payment.js';
import { accountValidationLifecycle } from '../../workflows/account-validation.js';
import { cardOrderLifecycle } from '../../workflows/card-order.js';
import { hostedCheckoutLifecycle } from '../../workflows/hosted-checkout.js';
import { CardOrderPayment } from '../../workflows/order/card-order-payment.js';
import { HostedCheckoutPayment } from '../../workflows/order/hosted-checkout-payment.js';
import { ThreeDSecurePayment } from '../../workflows/order/three-d-secure-payment.js';
import { PayoutPayment, type PayoutSnapshot } from '../../workflows/payout/payment.js';
import { payoutLifecycle } from '../../workflows/payout.js';
import { RefundPayment, type RefundSnapshot } from '../../workflows/refund/payment.js';
import { refundLifecycle } from '../../workflows/refund.js';
import type { PaymentContext } from '../../workflows/shared/context.js';
import type { Payment, PaymentSnapshot } from '../../workflows/shared/payment.js';
import type { Validation } from '../../src/domain/validation.js';
import type { Run } from '../../workflows/shared/run.js';
import { threeDSecureLifecycle } from '../../workflows/three-d-secure-order.js';
import { delaysMs, type Plan } from './plan.js';
import { valueCentavos } from './readings.js';
import type { SimulatedService } from './simulated-service.js';

/** One payment and its life, as a run of its workflow builds them. */
export type Living = {
  readonly payment: Payment;
  readonly live: (ctx: PaymentContext) => Promise<void>;
  readonly snapshot: () => object;
};

/** The input of the payment under test, and how each run builds it, with what the run before handed on as JSON. */
export type Lifecycle = {
  readonly workflowId: string;
  readonly begin: (run: Run, snapshot: string | undefined) => Living;
};

export const partnerCode = 'simulated-1';
const value = valueCentavos / 100;
const customer = {
  name: 'Ana Silva',
  email: 'ana@example.com',
  phone: '+5511999998888',
  document: '52998224725',
};
const order = {
  partner_code: partnerCode,
  value,
  description: 'simulated',
  payment_method: 'credit_card' as const,
};
export const card = {
  card_ref: '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f',
  task_queue: 'card-store-0b9d3f6a-4a55-4c38-9b43-5f7f5a2d6a10',
};

export function lifecycleOf(plan: Plan, service: SimulatedService, startsAt: number): Lifecycle {
  const options = plan.watchDays === null ? {} : { watch_days: plan.watchDays };
  switch (plan.kind) {
    case 'payout': {
      const input = payoutInput(plan, options, startsAt);
      return {
        workflowId: `payout-${partnerCode}`,
        begin: (run, snapshot) => {
          const payment = new PayoutPayment(input, run, parsed<PayoutSnapshot>(snapshot));
          return {
            payment,
            live: (ctx) => payoutLifecycle(ctx, payment),
            snapshot: () => payment.snapshot(),
          };
        },
      };
    }
    case 'refund': {
      const { id } = service.refundable;
      const input = { partner_code: partnerCode, service_id: id, value };
      return {
        workflowId: refundWorkflowId(id),
        begin: (run, snapshot) => {
          const payment = new RefundPayment(input, run, parsed<RefundSnapshot>(snapshot));
          return {
            payment,
            live: (ctx) => refundLifecycle(ctx, payment),
            snapshot: () => payment.snapshot(),
          };
        },
      };
    }
    case 'card_order': {
      // Sometimes it comes without a card, which is provided later.
      const withCard = plan.seed % 4 === 0 ? {} : { card };
      const input = { order: { ...order, installments: 1 }, customer, ...withCard, ...options };
      return {
        workflowId: `order-${partnerCode}`,
        begin: (run, snapshot) => {
          const payment = new CardOrderPayment(input, run, parsed<OrderSnapshot>(snapshot));
          return {
            payment,
            live: (ctx) => cardOrderLifecycle(ctx, payment),
            snapshot: () => payment.snapshot(),
          };
        },
      };
    }
    case 'hosted_checkout': {
      const input = { order: { ...order, redirect_url: 'https://shop.example/' }, customer, ...options };
      return {
        workflowId: `order-${partnerCode}`,
        begin: (run, snapshot) => {
          const payment = new HostedCheckoutPayment(input, run, parsed<OrderSnapshot>(snapshot));
          return {
            payment,
            live: (ctx) => hostedCheckoutLifecycle(ctx, payment),
            snapshot: () => payment.snapshot(),
          };
        },
      };
    }
    case 'three_d_secure_order': {
      const input = { order, customer, ...options };
      return {
        workflowId: `order-${partnerCode}`,
        begin: (run, snapshot) => {
          const payment = new ThreeDSecurePayment(input, run, parsed<OrderSnapshot>(snapshot));
          return {
            payment,
            live: (ctx) => threeDSecureLifecycle(ctx, payment),
            snapshot: () => payment.snapshot(),
          };
        },
      };
    }
    case 'account_validation': {
      const { first_name, last_name, document, bank_code, account } = payee;
      const input = { partner_code: partnerCode, first_name, last_name, document, bank_code, account };
      return {
        workflowId: `account-validation-${partnerCode}`,
        begin: (run, snapshot) => {
          const payment = new ValidationPayment(input, run, parsed<PaymentSnapshot<Validation>>(snapshot));
          return {
            payment,
            live: (ctx) => accountValidationLifecycle(ctx, payment),
            snapshot: () => payment.snapshot(),
          };
        },
      };
    }
  }
}

const payee = {
  first_name: 'Ana',
  last_name: 'Silva',
  document: '52998224725',
  bank_code: '001',
  agency: '0001',
  account: '12345-6',
  account_type: 'checking',
};

function payoutInput(
  { reconciled, sendBefore, validated }: Plan,
  options: object,
  startsAt: number,
): PayoutInput {
  const common = {
    partner_code: partnerCode,
    value,
    ...options,
    ...(reconciled && { reconciled }),
    ...(sendBefore !== null && {
      send_before: new Date(startsAt + (delaysMs[sendBefore] ?? 0)).toISOString(),
    }),
  };
  if (validated) return { ...common, ...payee, method: 'transfer', validate_account: true };
  const { first_name, last_name, document } = payee;
  return { ...common, first_name, last_name, document, method: 'pix', pix: 'ana@example.com' };
}

/** What a run hands on is JSON, as it is through Temporal. */
function parsed<Snapshot>(snapshot: string | undefined): Snapshot | undefined {
  return snapshot === undefined ? undefined : (JSON.parse(snapshot) as Snapshot);
}
