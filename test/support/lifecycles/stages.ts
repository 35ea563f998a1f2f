import type { PaymentState } from '../../../src/contract/state.js';
import { paymentKinds, workflowTypes, type PaymentKind } from '../../../src/domain/kinds.js';
import type { CardOrderStage, OrderStage, ThreeDSecureStage } from '../../../src/domain/order-stages.js';
import type { PayoutStage } from '../../../src/domain/payout-stages.js';
import type { RefundStage } from '../../../src/domain/refund-stages.js';
import type { Stage } from '../../../src/domain/stage-table.js';
import { stagesOfKind } from '../../../src/domain/stages.js';
import type { ValidationStage } from '../../../src/domain/validation-stages.js';
import type { EndpointName } from '../../../src/dev/sandbox/endpoints.js';
import { attentionIs, statusIs, type Payment } from '../payment.js';
import type { PaymentsStack } from '../payments-stack.js';
import { serviceOf } from '../plain/service.js';
import { freshCode } from '../requests.js';
import { accountValidationsOn } from './account-validations.js';
import { cardOrdersOn } from './card-orders.js';
import { hostedCheckoutsOn } from './hosted-checkouts.js';
import { payoutsOn } from './payouts.js';
import { refundsOn } from './refunds.js';
import { threeDSecureOrdersOn } from './three-d-secure-orders.js';

export type Shown = Pick<
  PaymentState,
  'attention' | 'closed' | 'commands' | 'partner_code' | 'service_id' | 'status' | 'timeline' | 'updated_at'
>;
type Bring = (stack: PaymentsStack, code: string) => Promise<Payment<Shown>>;

/** A stage of a lifecycle, what it takes by the table, and how a payment is brought into it. */
type StageOf = {
  readonly kind: PaymentKind;
  readonly lifecycle: string;
  readonly stage: string;
  readonly takes: Stage;
  readonly bring: (stack: PaymentsStack) => Promise<Payment<Shown>>;
};

/** What an operator has found out about a submission: its identifier where there is one. */
export function findingOf({ service_id: serviceId }: Pick<Shown, 'service_id'>): object {
  return serviceId === null ? { nothing_happened: true } : { service_id: serviceId };
}

/** The next call of this payment is answered 429 and waits for an hour. */
function hold({ sandbox }: PaymentsStack, endpoint: EndpointName, code: string): void {
  serviceOf(sandbox, code).throttles(endpoint, 3_600);
}

/** No read of it works. */
function unread({ sandbox }: PaymentsStack, endpoint: EndpointName, code: string): void {
  serviceOf(sandbox, code).fails(endpoint);
}

const payout: Record<PayoutStage, Bring> = {
  validate: (stack, code) => payoutsOn(stack).startTransfer(code, { validate_account: true }),
  submit: (stack, code) => {
    hold(stack, 'POST /v1/payout/pix', code);
    return payoutsOn(stack).start(code);
  },
  verify: async (stack, code) => {
    const payment = await payoutsOn(stack).start(code, 'dropped-before');
    await payment.until(({ timeline }) => timeline.length > 0, '1 second');
    return payment;
  },
  resolve: async (stack, code) => {
    const payment = await payoutsOn(stack).start(code, 'dropped-before');
    await payment.until(statusIs('submission_unknown'));
    return payment;
  },
  find: async (stack, code) => {
    unread(stack, 'GET /v1/payout/{id}', code);
    const payment = await payoutsOn(stack).start(code);
    await payment.until(statusIs('claimed'), '1 second');
    return payment;
  },
  follow: (stack, code) => payoutsOn(stack).shownAs(code, 'processing'),
  decide: (stack, code) => payoutsOn(stack).failed(code),
  decide_unread: async (stack, code) => {
    const payment = await payoutsOn(stack).failed(code);
    unread(stack, 'GET /v1/payout/{id}', code);
    await payment.until(({ commands }) => commands.includes('resolveSubmission'), '6 hours');
    // A command reads anew.
    stack.sandbox.clearFaults();
    return payment;
  },
  watch: (stack, code) => payoutsOn(stack).shownAs(code, 'processing', 'done'),
  closed: async (stack, code) => {
    const payment = await payoutsOn(stack).start(code, '', { watch_days: 0 });
    await payment.until(statusIs('claimed'));
    stack.sandbox.setPayoutStatus(code, 'done');
    await payment.result('1 minute');
    return payment;
  },
};

type Start = (stack: PaymentsStack, code: string, tags?: string) => Promise<Payment<Shown>>;
type Take = (stack: PaymentsStack, code: string, more?: object) => Promise<Payment<Shown>>;

/** The stages that orders of every kind have: `start` starts one, `take` brings one to where the service has taken it. */
function orderStages(endpoint: EndpointName, start: Start, take: Take): Record<OrderStage, Bring> {
  return {
    submit: (stack, code) => {
      hold(stack, endpoint, code);
      return start(stack, code);
    },
    resolve: async (stack, code) => {
      const order = await start(stack, code, 'accepted-then-dropped');
      await order.until(statusIs('submission_unknown'));
      return order;
    },
    find: (stack, code) => {
      unread(stack, 'GET /v1/order/{id}', code);
      return take(stack, code);
    },
    follow: async (stack, code) => {
      const order = await take(stack, code);
      await order.until(({ commands }) => !commands.includes('resolveSubmission'), '1 second');
      return order;
    },
    watch: async (stack, code) => {
      const order = await take(stack, code);
      stack.sandbox.setOrderStatus(code, 'compensated');
      await order.until(statusIs('compensated'), '1 hour');
      return order;
    },
    closed: async (stack, code) => {
      const order = await take(stack, code, { watch_days: 0 });
      stack.sandbox.setOrderStatus(code, 'denied');
      await order.result('1 minute');
      return order;
    },
  };
}

const cardOrder: Record<CardOrderStage, Bring> = {
  ...orderStages(
    'POST /v1/order',
    (stack, ...order) => cardOrdersOn(stack).start(...order),
    (stack, code, more) => cardOrdersOn(stack).submitted(code, '', more),
  ),
  await_card: async (stack, code) => {
    const { cards, start } = cardOrdersOn(stack);
    const order = await start(code, '', { card: cards.lost() });
    await order.until(statusIs('awaiting_card'));
    return order;
  },
};

const hostedCheckout = orderStages(
  'POST /v1/checkout',
  (stack, ...order) => hostedCheckoutsOn(stack).start(...order),
  (stack, code, more) => hostedCheckoutsOn(stack).opened(code, '', more),
);

/** A 3D Secure order whose completion the service has taken. */
const completed: Take = async (stack, code, more) => {
  const { complete, opened } = threeDSecureOrdersOn(stack);
  const order = await opened(code, '', more);
  await complete(order);
  await order.until(statusIs('waiting_payment'), '1 second');
  return order;
};

const threeDSecureOrder: Record<ThreeDSecureStage, Bring> = {
  ...orderStages(
    'POST /v1/3ds/order',
    (stack, ...order) => threeDSecureOrdersOn(stack).start(...order),
    completed,
  ),
  authenticate: (stack, code) => threeDSecureOrdersOn(stack).opened(code),
  complete: async (stack, code) => {
    const { complete, opened } = threeDSecureOrdersOn(stack);
    const order = await opened(code);
    hold(stack, 'PUT /v1/3ds/order/{id}', code);
    await complete(order);
    return order;
  },
  await_card: async (stack, code) => {
    const { cards, complete, completion, opened } = threeDSecureOrdersOn(stack);
    const order = await opened(code);
    await complete(order, completion({ card: cards.lost() }));
    await order.until(statusIs('awaiting_card'), '1 second');
    return order;
  },
  resolve_completion: (stack, code) => threeDSecureOrdersOn(stack).unknownCompletion(code),
};

const refund: Record<RefundStage, Bring> = {
  request: async (stack, code) => {
    const { paidOrder, start } = refundsOn(stack);
    const id = await paidOrder(code);
    hold(stack, 'PUT /v1/order/{id}/refund', code);
    return start(code, id);
  },
  confirm: (stack, code) => refundsOn(stack).requested(code),
  decide: (stack, code) => refundsOn(stack).refused(code),
  watch: async (stack, code) => {
    const unconfirmed = await refundsOn(stack).unconfirmed(code);
    await unconfirmed.command('resolveRefund', { outcome: 'refunded', reason: 'asked them', by: 'bia' });
    return unconfirmed;
  },
  acknowledge: async (stack, code) => {
    const { paidOrder, start } = refundsOn(stack);
    const id = await paidOrder(code);
    const body = { id: '777', status: 'refund_processing' };
    serviceOf(stack.sandbox, code).answers('PUT /v1/order/{id}/refund', {
      effect: 'none',
      status: 200,
      body,
    });
    const refund = await start(code, id);
    await refund.until(attentionIs('inconsistent_answer'));
    stack.sandbox.setOrderStatus(code, 'refunded');
    await refund.until(statusIs('refunded'), '1 hour');
    return refund;
  },
  closed: async (stack, code) => {
    const refund = await refundsOn(stack).requested(code);
    stack.sandbox.setOrderStatus(code, 'refunded');
    await refund.result('1 hour');
    return refund;
  },
};

const accountValidation: Record<ValidationStage, Bring> = {
  request: (stack, code) => {
    hold(stack, 'POST /v1/account/validate', code);
    return accountValidationsOn(stack).start(code);
  },
  await: (stack, code) => accountValidationsOn(stack).requested(code),
  closed: async (stack, code) => {
    const validation = await accountValidationsOn(stack).requested(code);
    await validation.postback({ status: 'approved', partner_code: code });
    await validation.result('1 minute');
    return validation;
  },
};

const brings: { readonly [Kind in PaymentKind]: Readonly<Record<keyof (typeof stagesOfKind)[Kind], Bring>> } =
  {
    payout,
    card_order: cardOrder,
    hosted_checkout: hostedCheckout,
    three_d_secure_order: threeDSecureOrder,
    refund,
    account_validation: accountValidation,
  };

/** Every stage of every lifecycle in which a payment waits, or has ended. */
export const everyStage: readonly StageOf[] = paymentKinds.flatMap((kind) => {
  const table = new Map<string, Stage>(Object.entries(stagesOfKind[kind]));
  return Object.entries<Bring>(brings[kind]).map(([stage, bring]) => ({
    ...{ kind, lifecycle: workflowTypes[kind], stage, takes: table.get(stage) ?? [] },
    bring: (stack) => bring(stack, freshCode()),
  }));
});
