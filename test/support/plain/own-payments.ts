import type {
  AccountValidationState,
  OrderState,
  PayoutState,
  RefundState,
} from '../../../src/contract/state.js';
import { refundWorkflowId } from '../../../src/domain/ids.js';
import { accountValidationsOn } from '../lifecycles/account-validations.js';
import { cardOrdersOn } from '../lifecycles/card-orders.js';
import { hostedCheckoutsOn } from '../lifecycles/hosted-checkouts.js';
import { idOn, madeOn, type OrderKind } from '../lifecycles/order-kinds.js';
import { payoutsOn } from '../lifecycles/payouts.js';
import { refundsOn } from '../lifecycles/refunds.js';
import { threeDSecureOrdersOn } from '../lifecycles/three-d-secure-orders.js';
import type { Payment } from '../payment.js';
import type { PaymentsStack } from '../payments-stack.js';
import { serviceOf } from './service.js';

type OfCode = (code: string, ...more: never[]) => unknown;
type Bound<Of> = Of extends (code: string, ...more: infer More) => infer Result
  ? (...more: More) => Result
  : never;

/** What the helpers of a lifecycle do for one code. */
function boundTo<Helpers extends Record<string, OfCode>>(code: string, helpers: Helpers) {
  const bound = Object.entries(helpers).map(([name, helper]) => [name, helper.bind(undefined, code)]);
  return Object.fromEntries(bound) as { readonly [Name in keyof Helpers]: Bound<Helpers[Name]> };
}

/** The payment of a test, which a helper of its lifecycle starts, and what the service does to it. */
function own<State>(stack: PaymentsStack, code: string, workflowId: () => string) {
  const payment = () => stack.payment<State>(workflowId());
  const messages: Omit<Payment<State>, 'workflowId'> = {
    state: () => payment().state(),
    after: (duration) => payment().after(duration),
    command: (...command) => payment().command(...command),
    refusal: (...command) => payment().refusal(...command),
    signal: (...signal) => payment().signal(...signal),
    postback: (body) => payment().postback(body),
    cancel: () => payment().cancel(),
    until: (...wanted) => payment().until(...wanted),
    result: (...limits) => payment().result(...limits),
  };
  return { code, ...messages, service: serviceOf(stack.sandbox, code) };
}

function ownOf<State>(stack: PaymentsStack, code: string, workflowId: string) {
  return { ...own<State>(stack, code, () => workflowId), workflowId };
}

export function ownPayout(stack: PaymentsStack, code: string) {
  const { failed, idOf: id, made, madeCodes, shownAs, start, startTransfer, throttle } = payoutsOn(stack);
  return {
    ...ownOf<PayoutState>(stack, code, `payout-${code}`),
    ...boundTo(code, { failed, id, made, madeCodes, shownAs, start, startTransfer }),
    throttle,
  };
}

export function ownOrder(stack: PaymentsStack, code: string) {
  const { cards, idOf: id, made, settled, start, submitted, unknown } = cardOrdersOn(stack);
  return {
    ...ownOf<OrderState>(stack, code, `order-${code}`),
    ...boundTo(code, { id, made, settled, start, submitted, unknown }),
    cards,
  };
}

export function ownCheckout(stack: PaymentsStack, code: string) {
  const { made, start } = hostedCheckoutsOn(stack);
  return {
    ...ownOf<OrderState>(stack, code, `order-${code}`),
    ...boundTo(code, { made, start }),
  };
}

export function ownSecureOrder(stack: PaymentsStack, code: string) {
  const { cards, complete, completion, made, opened, unknownCompletion } = threeDSecureOrdersOn(stack);
  const payment = ownOf<OrderState>(stack, code, `order-${code}`);
  return {
    ...payment,
    ...boundTo(code, { opened, unknownCompletion }),
    ...{ cards, completion },
    id: () => made(code)[0]?.id,
    /** How often the service has completed it. */
    times: () => made(code)[0]?.times_submitted,
    complete: (message: object = completion()) => complete(payment, message),
  };
}

/** An order of any kind. */
export function ownOrderOf({ start }: OrderKind, stack: PaymentsStack, code: string) {
  return {
    ...ownOf<OrderState>(stack, code, `order-${code}`),
    start: (tags?: string, more?: object) => start(stack, code, tags, more),
    id: () => idOn(stack, code),
    made: () => madeOn(stack, code),
  };
}

export function ownRefund(stack: PaymentsStack, code: string) {
  const { orders, paidOrder, requestsOf: requests, start, ...refunds } = refundsOn(stack);
  const { cancelled, refused, requested, unconfirmed } = refunds;
  const orderId = () => orders.idOf(code);
  /** Of the order that was made. */
  const begin = (more?: { value?: number }) => start(code, orderId(), more);
  return {
    ...own<RefundState>(stack, code, () => refundWorkflowId(orderId())),
    ...boundTo(code, { cancelled, paidOrder, refused, requested, requests, unconfirmed }),
    ...{ begin, orderId },
    /** Of an order that is made before, paid or in another status. */
    start: async (tags = '', { status = 'paid', ...more }: { status?: string; value?: number } = {}) => {
      await paidOrder(code, tags, status);
      return begin(more);
    },
  };
}

export function ownValidation(stack: PaymentsStack, code: string) {
  const { made, requested, start } = accountValidationsOn(stack);
  return {
    ...ownOf<AccountValidationState>(stack, code, `account-validation-${code}`),
    ...boundTo(code, { made, requested, start }),
  };
}
