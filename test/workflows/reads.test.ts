import { describe, expect } from 'vitest';
import type { PaymentState } from '../../src/contract/state.js';
import { cardOrdersOn } from '../support/lifecycles/card-orders.js';
import { payoutsOn } from '../support/lifecycles/payouts.js';
import { listed } from '../support/listed-payouts.js';
import { attentionIs, statusIs, timelineShows, type Payment } from '../support/payment.js';
import type { PaymentsStack } from '../support/payments-stack.js';
import { test } from '../support/plain-payments.js';

/** A payment that is read: how it is started, and its statuses once it is taken and when it is settled. */
type Read = {
  readonly endpoint: 'GET /v1/order/{id}' | 'GET /v1/payout/{id}';
  readonly taken: string;
  readonly settled: string;
  readonly start: (
    stack: PaymentsStack,
    code: string,
    tags?: string,
    more?: object,
  ) => Promise<Payment<PaymentState>>;
};

const payout: Read = {
  ...{ endpoint: 'GET /v1/payout/{id}', taken: 'claimed', settled: 'done' },
  start: (stack, ...more) => payoutsOn(stack).start(...more),
};
const order: Read = {
  ...{ endpoint: 'GET /v1/order/{id}', taken: 'waiting_payment', settled: 'compensated' },
  start: (stack, ...more) => cardOrdersOn(stack).start(...more),
};
const kinds = [
  ['a payout', payout],
  ['a card order', order],
] as const;

describe.for(kinds)('%s', ([, { endpoint, settled, start, taken }]) => {
  test('needs attention while its status is not documented', async ({ code, service, stack }) => {
    const payment = await start(stack, code);
    await payment.until(statusIs(taken));
    service.shows('under_review');
    await payment.until(attentionIs('unrecognised_status'));
    service.shows(settled);
    expect(await payment.until(statusIs(settled))).toMatchObject({ attention: null });
  });

  test.for(['read-value-other-always', 'read-id-other-always'])(
    'needs attention when a read comes with %s, which is not applied',
    async (tag, { code, service, stack }) => {
      const payment = await start(stack, code, tag);
      await payment.until(statusIs(taken));
      service.shows(settled);
      expect(await payment.until(attentionIs('inconsistent_answer'))).toMatchObject({ status: taken });
    },
  );

  test('needs attention when it reads as settled with an amount that is none, which is not applied', async ({
    code,
    service,
    stack,
  }) => {
    const payment = await start(stack, code);
    const { service_id: id } = await payment.until(statusIs(taken));
    const body = { id, status: settled, value: '99,90' };
    service.answers(endpoint, { effect: 'none', status: 200, body }, { times: 1_000 });
    const asked = await payment.until(attentionIs('inconsistent_answer'));
    expect(asked.status).not.toBe(settled);
  });

  test('that can not be read needs attention after an hour, not sooner, and no more once a read works', async ({
    code,
    service,
    stack,
  }) => {
    const payment = await start(stack, code);
    await payment.until(({ last_read: read }) => read !== null, '5 seconds');
    service.fails(endpoint);
    expect(await payment.after('50 minutes')).toMatchObject({ attention: null });
    const unread = await payment.until(attentionIs('unreadable'), '5 minutes', 12);
    expect(unread).toMatchObject({ status: taken, closed: false });
    service.recovers();
    service.shows(settled);
    expect(await payment.until(statusIs(settled), '15 minutes')).toMatchObject({ attention: null });
  });

  test('with watch_days 0 closes as soon as it is settled', async ({ code, service, stack }) => {
    const payment = await start(stack, code, '', { watch_days: 0 });
    await payment.until(statusIs(taken));
    service.shows(settled);
    expect(await payment.result('1 minute', 60)).toMatchObject({ status: settled, attention: null });
  });

  test('is read once when many postbacks come, and trusts none', async ({ code, sandbox, stack }) => {
    const payment = await start(stack, code);
    await payment.until(statusIs(taken));
    const { service_id: id } = await payment.after('2 hours');
    const reads = () => sandbox.ledger().calls[endpoint] ?? 0;
    const before = reads();
    await Promise.all(Array.from({ length: 20 }, () => payment.postback({ id, status: settled })));
    const state = await payment.until(({ last_read: read }) => read?.cause === 'postback', '1 second', 10);
    expect(state.status).toBe(taken);
    expect(reads() - before).toBeLessThan(4);
  });
});

test.for([
  ['a payout that is done', payout, 'done'],
  ['an order that is denied', order, 'denied'],
] as const)(
  '%s by the answer itself, without a watch, closes only with a read that shows it',
  async ([, { endpoint, start }, status], { code, service, stack }) => {
    service.fails(endpoint);
    const payment = await start(stack, code, `${status}-at-once`, { watch_days: 0 });
    const unread = await payment.until(({ last_read: read }) => read !== null, '1 minute');
    expect(unread).toMatchObject({ status: 'submitting', closed: false });
    expect(timelineShows(`The service answered "${status}", which a read has to confirm.`)(unread)).toBe(
      true,
    );
    service.recovers();
    expect(await payment.result()).toMatchObject({ status, attention: null, closed: true });
  },
);

test('a payout that is listed as done with an amount that is none needs attention', async ({ payout }) => {
  payout.service.lists(listed(7, payout.code, { value: '1.255', status: 'done' }));
  await payout.start('accepted-then-dropped');
  const asked = await payout.until(attentionIs('inconsistent_answer'));
  expect(asked.status).not.toBe('done');
});

test('a postback makes the next read of a refund due at once', async ({ refund }) => {
  await refund.requested();
  await refund.after('2 days');
  refund.service.shows('refunded');
  await refund.postback();
  const result = await refund.result('1 second', 10);
  expect(result.last_read).toMatchObject({ cause: 'postback', status: 'refunded' });
});
