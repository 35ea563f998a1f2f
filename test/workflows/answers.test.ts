import { describe, expect } from 'vitest';
import type { PaymentState } from '../../src/contract/state.js';
import { accountValidationsOn } from '../support/lifecycles/account-validations.js';
import { madeOn, orderKinds } from '../support/lifecycles/order-kinds.js';
import { payoutsOn } from '../support/lifecycles/payouts.js';
import { refundsOn } from '../support/lifecycles/refunds.js';
import { threeDSecureOrdersOn } from '../support/lifecycles/three-d-secure-orders.js';
import { statusIs, type Payment } from '../support/payment.js';
import type { PaymentsStack } from '../support/payments-stack.js';
import { test } from '../support/plain-payments.js';
import { serviceOf } from '../support/plain/service.js';
import { freshCode } from '../support/requests.js';

/** A call that has an effect at the service, as a payment makes it. */
type CreatingCall = {
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
  ...{ taken: 'waiting_payment', unknown: 'submission_unknown', later: 'paid' },
  start: async (stack, code, tags = '') => {
    const { complete, opened } = threeDSecureOrdersOn(stack);
    const order = await opened(code, prefixed('completion-', tags));
    await complete(order);
    return order;
  },
  times: (...order) => madeOn(...order)[0]?.times_submitted,
};

const creatingCalls: readonly (readonly [string, CreatingCall])[] = [
  [
    'a payout',
    {
      ...{ taken: 'claimed', unknown: 'submission_unknown', later: 'done' },
      start: (stack, ...payout) => payoutsOn(stack).start(...payout),
      times: (stack, code) => payoutsOn(stack).made(code).length,
    },
  ],
  ...ofOrders,
  ['the completion of a 3D Secure order', completion],
  [
    'a refund',
    {
      ...{ taken: 'refund_processing', unknown: 'unconfirmed', later: 'refunded' },
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
      ...{ taken: 'awaiting_answer', unknown: 'submission_unknown', later: null },
      start: (stack, ...validation) => accountValidationsOn(stack).start(...validation),
      times: (stack, code) => accountValidationsOn(stack).made(code).length,
    },
  ],
];

/** Scenarios of the sandbox, by the call: what it is answered with, and after which answers its outcome is unknown. */
const tags: Readonly<Record<string, { taken: string; unknown?: string }>> = {
  'a payout': {
    // After the latter it is found in the list.
    taken:
      'id-integer nested status-absent status-upper extra-fields 201 202 401 403 429 accepted-then-dropped truncated ' +
      'html empty 500-after 504-after id-absent 204 307-after 409-after',
  },
  'a card order': {
    taken: 'id-integer nested status-absent status-upper extra-fields 201 202 429',
    unknown: 'accepted-then-dropped dropped-before truncated html id-absent 204 500-after 409',
  },
  'a checkout': {
    taken: 'id-integer nested status-absent extra-fields 201 429',
    unknown: 'accepted-then-dropped dropped-before html id-absent 204 503-after',
  },
  'a 3D Secure order': { taken: 'status-absent 429', unknown: 'accepted-then-dropped' },
  'the completion of a 3D Secure order': {
    taken: 'status-absent nested 204 id-integer 429',
    unknown: 'accepted-then-dropped 500-after html 307-after',
  },
  'a refund': {
    taken: 'nested status-absent 204 202 id-integer 401 429 401+429',
    unknown: 'accepted-then-dropped 500-after html 307-after 409',
  },
  'an account validation': {
    taken: 'nested id-absent status-absent 204 429',
    unknown: 'accepted-then-dropped dropped-before 500-after html',
  },
};

describe.for(creatingCalls)('%s', ([name, { later, start, taken, times, unknown }]) => {
  const { taken: answered = '', unknown: unanswered = '' } = tags[name] ?? {};

  test.for(answered.split(' '))(
    'is taken, made once, and read on, though the service answers %s',
    async (tag, { code, stack }) => {
      const payment = await start(stack, code, tag);
      expect(await payment.until(statusIs(taken))).toMatchObject({ attention: null });
      expect(times(stack, code)).toBe(1);
      if (later === null) return;
      serviceOf(stack.sandbox, code).shows(later);
      expect(await payment.until(statusIs(later), '1 hour')).toMatchObject({ attention: null });
      expect(times(stack, code)).toBe(1);
    },
  );

  test.for(unanswered.split(' ').filter(Boolean))(
    'is of unknown outcome after the answer %s, and never made again by itself',
    async (tag, { clock, code, stack }) => {
      const payment = await start(stack, code, tag);
      await payment.until(statusIs(unknown));
      await clock.pass('2 days');
      const attention = name === 'a refund' ? 'refund_unconfirmed' : 'submission_unknown';
      const state = await payment.state();
      expect(state).toMatchObject({ status: unknown, attention: later && attention });
      expect(times(stack, code)).toBeLessThan(2);
    },
  );
});

const refusable = ['a card order', 'a checkout', 'a 3D Secure order', 'an account validation'];
test.for(creatingCalls.filter(([name]) => refusable.includes(name)))(
  '%s that the service refuses is rejected with its words, and nothing is made',
  async ([, { start, times }], { code, stack }) => {
    const result = await (await start(stack, code, '422-text')).result();
    expect(result).toMatchObject({ status: 'rejected', attention: null, closed: true, service_id: null });
    expect(result.refusal).toContain('422');
    expect(times(stack, code)).toBe(0);
  },
);

test.for(creatingCalls)(
  '%s is made once when its token had ended, with another one',
  async ([, { start, taken, times }], { code, sandbox, stack }) => {
    await start(stack, freshCode());
    const tokens = () => sandbox.ledger().calls['POST /v1/auth'] ?? 0;
    const before = tokens();
    sandbox.expireToken();
    await (await start(stack, code)).until(statusIs(taken));
    expect(times(stack, code)).toBe(1);
    expect(tokens()).toBe(before + 1);
  },
);

describe.for(orderKinds)('%s of unknown outcome', ([, { start, taken }]) => {
  test('is followed by the identifier that an operator gives', async ({ code, stack }) => {
    const order = await start(stack, code, 'accepted-then-dropped');
    await order.until(statusIs('submission_unknown'), '1 second');
    const service_id = stack.sandbox.ledger(code).orders[0]?.id;
    const resolved = await order.command('resolveSubmission', { service_id, by: 'ana' });
    expect(resolved).toMatchObject({ status: taken, attention: null, service_id });
  });
});
