import type { PaymentState } from '../../../src/contract/state.js';
import type { EndpointName } from '../../../src/dev/sandbox/endpoints.js';
import type { Payment } from '../payment.js';
import type { PaymentsStack } from '../payments-stack.js';
import { accountValidationsOn } from './account-validations.js';
import { madeOn, orderKinds } from './order-kinds.js';
import { payoutsOn } from './payouts.js';
import { refundsOn } from './refunds.js';
import { threeDSecureOrdersOn } from './three-d-secure-orders.js';

/** A call that has an effect at the service, as a payment makes it. */
export type CreatingCall = {
  readonly endpoint: EndpointName;
  /** The status of the payment once the service has taken it, and while that is not known. */
  readonly taken: string;
  readonly unknown: string;
  /** A status that the service shows later, where it can be read. */
  readonly later: string | null;
  /** `tags` are scenarios of the sandbox. */
  readonly start: (stack: PaymentsStack, code: string, tags?: string) => Promise<Payment<PaymentState>>;
  /** How often the service has done it, by its ledger. */
  readonly times: (stack: PaymentsStack, code: string) => number | undefined;
};

/** Tags that concern another call of the same payment than that which creates it. */
const prefixed = (prefix: string, tags: string) => tags.replaceAll(/[^+]+/g, (tag) => prefix + tag);

const ofOrders = orderKinds.map(([name, kind]): [string, CreatingCall] => [
  name,
  { ...kind, unknown: 'submission_unknown', later: 'paid', times: (...order) => madeOn(...order).length },
]);

const completion: CreatingCall = {
  ...{ endpoint: 'PUT /v1/3ds/order/{id}', taken: 'waiting_payment', unknown: 'submission_unknown' },
  later: 'paid',
  start: async (stack, code, tags = '') => {
    const { complete, opened } = threeDSecureOrdersOn(stack);
    const order = await opened(code, prefixed('completion-', tags));
    await complete(order);
    return order;
  },
  times: (...order) => madeOn(...order)[0]?.times_submitted,
};

export const creatingCalls: readonly (readonly [string, CreatingCall])[] = [
  [
    'a payout',
    {
      ...{ endpoint: 'POST /v1/payout/pix', taken: 'claimed', unknown: 'submission_unknown', later: 'done' },
      start: (stack, ...payout) => payoutsOn(stack).start(...payout),
      times: (stack, code) => payoutsOn(stack).made(code).length,
    },
  ],
  ...ofOrders,
  ['the completion of a 3D Secure order', completion],
  [
    'a refund',
    {
      ...{ endpoint: 'PUT /v1/order/{id}/refund', taken: 'refund_processing', unknown: 'unconfirmed' },
      later: 'refunded',
      start: async (stack, code, tags = '') => {
        const { paidOrder, start } = refundsOn(stack);
        return start(code, await paidOrder(code, prefixed('refund-', tags)));
      },
      times: (stack, code) => refundsOn(stack).requestsOf(code),
    },
  ],
  [
    'an account validation',
    {
      ...{ endpoint: 'POST /v1/account/validate', taken: 'awaiting_answer', unknown: 'submission_unknown' },
      later: null,
      start: (stack, ...validation) => accountValidationsOn(stack).start(...validation),
      times: (stack, code) => accountValidationsOn(stack).made(code).length,
    },
  ],
];
