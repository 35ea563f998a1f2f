import { describe, expect } from 'vitest';
import { idOn, orderKinds } from '../support/lifecycles/order-kinds.js';
import { attentionIs, statusIs } from '../support/payment.js';
import type { PaymentsStack } from '../support/payments-stack.js';
import { test } from '../support/plain-payments.js';
import { freshCode } from '../support/requests.js';

describe.for(orderKinds)('%s that the service refuses', ([, { endpoint, start, taken }]) => {
  /** One that the service makes all the same. */
  async function refusedOrder(stack: PaymentsStack, code: string, tags = '') {
    const fault = { effect: 'done', status: 422, body: { error: 'value is too high' } } as const;
    stack.sandbox.fault({ endpoint, partner_code: code, fault });
    const order = await start(stack, code, tags, { watch_days: 0 });
    await order.until(statusIs('rejected'), '1 second');
    return order;
  }

  test('is open for longer while what a postback has named can not be read', async ({
    clock,
    code,
    service,
    stack,
  }) => {
    const order = await refusedOrder(stack, code, 'read-with-partner-code-always');
    await clock.pass('167 hours');
    service.fails('GET /v1/order/{id}');
    await order.postback({ id: idOn(stack, code), status: 'paid' });
    await clock.pass('3 hours');
    expect(await order.state()).toMatchObject({ status: 'rejected', closed: false });
    service.recovers();
    await order.until(attentionIs('inconsistent_answer'), '15 minutes');
  });

  test('is open for a week with watch_days 0, says that it is the service that denies a charge, and is not read', async ({
    clock,
    sandbox,
    stack,
  }) => {
    const order = await start(stack, freshCode(), '422', { watch_days: 0 });
    await order.until(statusIs('rejected'), '1 second');
    const before = sandbox.ledger().calls['GET /v1/order/{id}'];
    await clock.pass('6 days');
    const state = await order.state();
    expect(state).toMatchObject({ status: 'rejected', attention: null, closed: false });
    expect(state.timeline.at(-1)?.what).toBe(
      "The service refused the order. By the service's answer nothing was charged. A postback that names it is followed for a week at least.",
    );
    expect(sandbox.ledger().calls['GET /v1/order/{id}']).toBe(before);
    await clock.pass('2 days');
    expect(await order.state()).toMatchObject({ status: 'rejected', closed: true });
  });

  test('and charges all the same is followed when a postback names it, and says so at once', async ({
    clock,
    code,
    service,
    stack,
  }) => {
    const order = await refusedOrder(stack, code, 'read-with-partner-code-always');
    await clock.pass('5 days');
    service.shows('paid');
    await order.postback({ id: idOn(stack, code), status: 'paid' });
    expect(await order.until(statusIs('paid'), '1 second')).toMatchObject({
      attention: 'inconsistent_answer',
      attention_detail: expect.stringContaining('the service holds it after all') as unknown,
      service_id: idOn(stack, code),
      closed: false,
    });
  });

  test('and charges all the same needs an operator when a read does not show whose order it is', async ({
    code,
    stack,
  }) => {
    const order = await refusedOrder(stack, code);
    const service_id = idOn(stack, code);
    await order.postback({ id: service_id, status: 'paid' });
    await order.until(attentionIs('submission_unknown'), '1 second');
    await order.command('resolveSubmission', { service_id, by: 'ana' });
    expect(await order.state()).toMatchObject({ status: taken, service_id });
  });
});
