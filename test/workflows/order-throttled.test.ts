import { describe, expect } from 'vitest';
import { idOn, madeOn, orderKinds } from '../support/lifecycles/order-kinds.js';
import { attentionIs, statusIs } from '../support/payment.js';
import type { PaymentsStack } from '../support/payments-stack.js';
import { test } from '../support/plain-payments.js';

const charged = { effect: 'done', status: 429, headers: { 'retry-after': '600' } } as const;
const untouched = { effect: 'none', status: 429 } as const;
/** Reads show whose order it is. */
const named = 'read-with-partner-code-always';

describe.for(orderKinds)('%s that the service charges, and answers 429', ([, { endpoint, start, taken }]) => {
  /** One that waits to be sent again. */
  async function throttledOrder(
    stack: PaymentsStack,
    code: string,
    tags = '',
    fault: typeof charged | typeof untouched = charged,
  ) {
    stack.sandbox.fault({ endpoint, partner_code: code, fault });
    const order = await start(stack, code, tags, { watch_days: 0 });
    await order.until(({ timeline }) => timeline.length > 0, '1 second');
    return order;
  }

  test('is not sent again when a postback has named it', async ({ clock, code, stack }) => {
    const order = await throttledOrder(stack, code, named);
    await order.postback({ id: idOn(stack, code), status: 'paid' });
    await clock.pass('15 minutes');
    expect(await order.state()).toMatchObject({ status: taken, service_id: idOn(stack, code) });
    expect(madeOn(stack, code)).toHaveLength(1);
  });

  test('is not sent again when a postback has named it, and a read does not show whose it is', async ({
    clock,
    code,
    stack,
  }) => {
    const order = await throttledOrder(stack, code);
    await order.postback({ id: idOn(stack, code), status: 'paid' });
    await clock.pass('15 minutes');
    expect(await order.state()).toMatchObject({ attention: 'submission_unknown' });
    expect(madeOn(stack, code)).toHaveLength(1);
  });

  test.for([
    ['can not be read for an hour', { effect: 'none', status: 503 }],
    ['is shown only later', { effect: 'none', status: 404 }],
  ] as const)(
    'is not sent again while what a postback has named %s',
    async ([, fault], { clock, code, service, stack }) => {
      const order = await throttledOrder(stack, code, named);
      const id = idOn(stack, code);
      await order.postback({ id, status: 'paid' });
      const times = fault.status === 404 ? 1 : 1_000;
      service.answers('GET /v1/order/{id}', fault, { times });
      await clock.pass('70 minutes');
      service.recovers();
      await order.until(({ service_id }) => service_id === id, '15 minutes', 6);
      expect(madeOn(stack, code)).toHaveLength(1);
    },
  );

  test('is not sent again when what a postback has named shows another value, and says whose it may be', async ({
    clock,
    code,
    service,
    stack,
  }) => {
    const order = await throttledOrder(stack, code);
    const id = idOn(stack, code);
    const body = { id, status: 'paid', value: '89,90' };
    service.answers('GET /v1/order/{id}', { effect: 'none', status: 200, body }, { times: 10 });
    await order.postback({ id, status: 'paid' });
    await clock.pass('15 minutes');
    expect(await order.state()).toMatchObject({
      attention: 'submission_unknown',
      attention_detail: expect.stringContaining('may be this one. ') as string,
    });
    expect(madeOn(stack, code)).toHaveLength(1);
  });

  test('is sent again when what a postback names is no order, after it was looked for twice', async ({
    code,
    stack,
  }) => {
    const order = await throttledOrder(stack, code, '', untouched);
    await order.postback({ id: 'evt_1' });
    const sent = await order.until(statusIs(taken), '1 minute', 30);
    expect(JSON.stringify(sent.timeline)).toContain('A postback names order evt_1');
    expect(madeOn(stack, code)).toHaveLength(1);
  });

  test('is followed after it was cancelled, when a postback names it', async ({ code, stack }) => {
    const order = await throttledOrder(stack, code, named);
    await order.cancel();
    const cancelled = await order.until(statusIs('cancelled'), '1 second');
    expect(cancelled).toMatchObject({ closed: false });
    expect(cancelled.timeline.at(-1)?.what).toContain(
      "Cancelled. By the service's answer nothing was charged.",
    );
    await order.postback({ id: idOn(stack, code), status: 'paid' });
    await order.until(attentionIs('inconsistent_answer'), '1 second');
    expect(await order.state()).toMatchObject({ status: taken, closed: false });
  });
});
