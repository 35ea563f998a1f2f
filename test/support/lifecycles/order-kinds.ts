import type { EndpointName } from '../../../src/dev/sandbox/endpoints.js';
import type { OrderState } from '../../../src/contract/state.js';
import type { Payment } from '../payment.js';
import type { PaymentsStack } from '../payments-stack.js';
import { cardOrdersOn } from './card-orders.js';
import { hostedCheckoutsOn } from './hosted-checkouts.js';
import { threeDSecureOrdersOn } from './three-d-secure-orders.js';

/** A kind of order: how it is created, and its status once the service has taken it. */
export type OrderKind = {
  readonly endpoint: EndpointName;
  readonly taken: string;
  /** `tags` are scenarios of the sandbox. */
  readonly start: (
    stack: PaymentsStack,
    code: string,
    tags?: string,
    more?: object,
  ) => Promise<Payment<OrderState>>;
};

/** For what is so of every order, whatever its kind. */
export const orderKinds: readonly (readonly [string, OrderKind])[] = [
  [
    'a card order',
    {
      ...{ endpoint: 'POST /v1/order', taken: 'waiting_payment' },
      start: (stack, ...order) => cardOrdersOn(stack).start(...order),
    },
  ],
  [
    'a checkout',
    {
      ...{ endpoint: 'POST /v1/checkout', taken: 'waiting_payment' },
      start: (stack, ...order) => hostedCheckoutsOn(stack).start(...order),
    },
  ],
  [
    'a 3D Secure order',
    {
      ...{ endpoint: 'POST /v1/3ds/order', taken: 'awaiting_authentication' },
      start: (stack, ...order) => threeDSecureOrdersOn(stack).start(...order),
    },
  ],
];

/** What the service has made of an order, by its ledger. */
export const madeOn = ({ sandbox }: PaymentsStack, code: string) => sandbox.ledger(code).orders;

/** The identifier that the service has given it. */
export const idOn = (stack: PaymentsStack, code: string) => madeOn(stack, code)[0]?.id ?? '';
