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
import { freshCode } from '../requests.js';
import { accountValidationsOn } from './account-validations.js';
import { cardOrdersOn } from './card-orders.js';
import { hostedCheckoutsOn } from './hosted-checkouts.js';
import { payoutsOn } from './payouts.js';
import { refundsOn } from './refunds.js';
import { threeDSecureOrdersOn } from './three-d-secure-orders.js';

export type Shown = Pick<
  PaymentState,
  'attention' | 'closed' | 'commands' | 'partner_code' | 'service_id' | 'status' | 'timeline'
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
function hold({ sandbox }: PaymentsStack, endpoint: EndpointName, partner_code: string): void {
  const fault = { effect: 'none', status: 429, headers: { 'retry-after': '3600' } } as const;
  sandbox.fault({ endpoint, partner_code, fault });
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

/** An order that the service has taken and that has come to the end of its life. */
async function ended(stack: PaymentsStack, code: string, order: Payment<Shown>): Promise<Payment<Shown>> {
  stack.sandbox.setOrderStatus(code, 'denied');
  await order.result('1 minute');
  return order;
}

async function settled(stack: PaymentsStack, code: string, order: Payment<Shown>): Promise<Payment<Shown>> {
  stack.sandbox.setOrderStatus(code, 'compensated');
  await order.until(statusIs('compensated'), '1 hour');
  return order;
}

/** No read of it works. */
function unread({ sandbox }: PaymentsStack, endpoint: EndpointName, partner_code: string): void {
  sandbox.fault({ endpoint, partner_code, times: 1_000, fault: { effect: 'none', status: 503 } });
}

/** An order that a read has found. */
async function found(order: Payment<Shown>): Promise<Payment<Shown>> {
  await order.until(({ commands }) => !commands.includes('resolveSubmission'), '1 second');
  return order;
}

const cardOrder: Record<CardOrderStage, Bring> = {
  submit: (stack, code) => {
    hold(stack, 'POST /v1/order', code);
    return cardOrdersOn(stack).start(code);
  },
  await_card: async (stack, code) => {
    const { cards, start } = cardOrdersOn(stack);
    const order = await start(code, '', { card: cards.lost() });
    await order.until(statusIs('awaiting_card'));
    return order;
  },
  resolve: (stack, code) => cardOrdersOn(stack).unknown(code),
  find: (stack, code) => {
    unread(stack, 'GET /v1/order/{id}', code);
    return cardOrdersOn(stack).submitted(code);
  },
  follow: async (stack, code) => found(await cardOrdersOn(stack).submitted(code)),
  watch: async (stack, code) => settled(stack, code, await cardOrdersOn(stack).submitted(code)),
  closed: async (stack, code) =>
    ended(stack, code, await cardOrdersOn(stack).submitted(code, '', { watch_days: 0 })),
};

const hostedCheckout: Record<OrderStage, Bring> = {
  submit: (stack, code) => {
    hold(stack, 'POST /v1/checkout', code);
    return hostedCheckoutsOn(stack).start(code);
  },
  resolve: async (stack, code) => {
    const checkout = await hostedCheckoutsOn(stack).start(code, 'accepted-then-dropped');
    await checkout.until(statusIs('submission_unknown'));
    return checkout;
  },
  find: (stack, code) => {
    unread(stack, 'GET /v1/order/{id}', code);
    return hostedCheckoutsOn(stack).opened(code);
  },
  follow: async (stack, code) => found(await hostedCheckoutsOn(stack).opened(code)),
  watch: async (stack, code) => settled(stack, code, await hostedCheckoutsOn(stack).opened(code)),
  closed: async (stack, code) =>
    ended(stack, code, await hostedCheckoutsOn(stack).opened(code, '', { watch_days: 0 })),
};

/** A 3D Secure order whose completion the service has taken. */
async function completed(stack: PaymentsStack, code: string): Promise<Payment<Shown>> {
  const { complete, opened } = threeDSecureOrdersOn(stack);
  const order = await opened(code);
  await complete(order);
  await order.until(statusIs('waiting_payment'), '1 second');
  return order;
}

const threeDSecureOrder: Record<ThreeDSecureStage, Bring> = {
  submit: (stack, code) => {
    hold(stack, 'POST /v1/3ds/order', code);
    return threeDSecureOrdersOn(stack).start(code);
  },
  resolve: async (stack, code) => {
    const order = await threeDSecureOrdersOn(stack).start(code, 'accepted-then-dropped');
    await order.until(statusIs('submission_unknown'));
    return order;
  },
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
  find: async (stack, code) => {
    unread(stack, 'GET /v1/order/{id}', code);
    return completed(stack, code);
  },
  follow: async (stack, code) => found(await completed(stack, code)),
  watch: async (stack, code) => settled(stack, code, await threeDSecureOrdersOn(stack).opened(code)),
  closed: async (stack, code) =>
    ended(stack, code, await threeDSecureOrdersOn(stack).opened(code, '', { watch_days: 0 })),
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
    const fault = { effect: 'none', status: 200, body: { id: '777', status: 'refund_processing' } } as const;
    stack.sandbox.fault({ endpoint: 'PUT /v1/order/{id}/refund', partner_code: code, fault });
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
