import { describe, expect } from 'vitest';
import { attentionIs, meanwhile, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode, testCard } from '../support/requests.js';

describe('a card', () => {
  test('that never came is awaited, and without one in time the order is rejected', async ({ orders }) => {
    const code = freshCode();
    const order = await orders.start(code, '', { card: undefined });
    await order.until(statusIs('awaiting_card'), '1 second');
    const result = await order.result('1 minute', 20);
    expect(result).toMatchObject({ status: 'rejected', attention: null, closed: true });
    expect(orders.made(code)).toHaveLength(0);
  });

  test('goes on being awaited after an empty postback, as a bare client may send it', async ({ orders }) => {
    const order = await orders.start(freshCode(), '', { card: undefined });
    await order.until(statusIs('awaiting_card'), '1 second');
    await order.signal('postbackReceived');
    expect(await order.state()).toMatchObject({ status: 'awaiting_card' });
  });

  test('is refused when none is awaited, or when it is no reference', async ({ orders }) => {
    const code = freshCode();
    const order = await orders.submitted(code);
    expect(await order.command('provideCard', orders.cards.stored()).catch(refusalOf)).toBe(
      'NotAwaitingCard',
    );
    const other = await orders.start(freshCode(), '', { card: undefined });
    await other.until(statusIs('awaiting_card'), '1 second');
    for (const message of [{}, { card_ref: 'x', task_queue: 'elsewhere' }, { number: testCard.number }]) {
      expect(await other.command('provideCard', message).catch(refusalOf)).toBe('InvalidMessage');
    }
  });

  test('is given back after 429, which did nothing, and sent again, as the timeline says', async ({
    orders,
  }) => {
    const code = freshCode();
    const order = await orders.submitted(code, '429');
    expect(orders.made(code)).toMatchObject([{ times_created: 1, times_submitted: 1 }]);
    expect((await order.state()).timeline.map(({ what }) => what)).toContainEqual(
      expect.stringContaining(
        "Nothing was done by the service's answer, will be sent again: The service answered 429.",
      ),
    );
  });

  test('is given back when its token had ended, and sent again with another', async ({ orders, sandbox }) => {
    const code = freshCode();
    await orders.submitted(freshCode());
    sandbox.expireToken();
    await orders.submitted(code);
    expect(orders.made(code)).toMatchObject([{ times_created: 1, times_submitted: 1 }]);
    expect(sandbox.ledger().calls['POST /v1/auth']).toBeGreaterThan(1);
  });
});

describe('a card order that the service refuses', () => {
  const refused = { effect: 'done', status: 422, body: { error: 'value is too high' } } as const;

  test('is open for longer while what a postback has named can not be read', async ({
    clock,
    orders,
    sandbox,
  }) => {
    const code = freshCode();
    sandbox.fault({ endpoint: 'POST /v1/order', partner_code: code, fault: refused });
    const order = await orders.start(code, 'read-with-partner-code-always', { watch_days: 0 });
    await order.until(statusIs('rejected'), '1 second');
    await clock.pass('167 hours');
    const fault = { effect: 'none', status: 503 } as const;
    sandbox.fault({ endpoint: 'GET /v1/order/{id}', partner_code: code, times: 1_000, fault });
    await order.postback({ id: orders.idOf(code), status: 'paid' });
    await clock.pass('3 hours');
    expect(await order.state()).toMatchObject({ status: 'rejected', closed: false });
    sandbox.clearFaults();
    await order.until(attentionIs('inconsistent_answer'), '15 minutes');
  });

  test('is open for a week with watch_days 0, says that it is the service that denies a charge, and is not read', async ({
    clock,
    orders,
    sandbox,
  }) => {
    const code = freshCode();
    const order = await orders.start(code, '422', { watch_days: 0 });
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
    orders,
    sandbox,
  }) => {
    const code = freshCode();
    sandbox.fault({ endpoint: 'POST /v1/order', partner_code: code, fault: refused });
    const order = await orders.start(code, 'read-with-partner-code-always', { watch_days: 0 });
    await order.until(statusIs('rejected'), '1 second');
    await clock.pass('5 days');
    sandbox.setOrderStatus(code, 'paid');
    await order.postback({ id: orders.idOf(code), status: 'paid' });
    expect(await order.until(statusIs('paid'), '1 second')).toMatchObject({
      attention: 'inconsistent_answer',
      attention_detail: expect.stringContaining('the service holds it after all') as unknown,
      service_id: orders.idOf(code),
      closed: false,
    });
  });

  test('and charges all the same needs an operator when a read does not show whose order it is', async ({
    orders,
    sandbox,
  }) => {
    const code = freshCode();
    sandbox.fault({ endpoint: 'POST /v1/order', partner_code: code, fault: refused });
    const order = await orders.start(code);
    await order.until(statusIs('rejected'), '1 second');
    await order.postback({ id: orders.idOf(code), status: 'paid' });
    await order.until(attentionIs('submission_unknown'), '1 second');
    await order.command('resolveSubmission', { service_id: orders.idOf(code), by: 'ana' });
    expect(await order.state()).toMatchObject({ status: 'waiting_payment', service_id: orders.idOf(code) });
  });
});

describe('a card order that the service charges, and answers 429', () => {
  const throttled = { effect: 'done', status: 429, headers: { 'retry-after': '600' } } as const;

  test('is not sent again when a postback has named it', async ({ clock, orders, sandbox }) => {
    const code = freshCode();
    sandbox.fault({ endpoint: 'POST /v1/order', partner_code: code, fault: throttled });
    const order = await orders.start(code, 'read-with-partner-code-always');
    await order.until(({ timeline }) => timeline.length > 0, '1 second');
    await order.postback({ id: orders.idOf(code), status: 'paid' });
    await clock.pass('15 minutes');
    expect(await order.state()).toMatchObject({ status: 'waiting_payment', service_id: orders.idOf(code) });
    expect(orders.made(code)).toHaveLength(1);
  });

  test('is not sent again when a postback has named it, and a read does not show whose it is', async ({
    clock,
    orders,
    sandbox,
  }) => {
    const code = freshCode();
    sandbox.fault({ endpoint: 'POST /v1/order', partner_code: code, fault: throttled });
    const order = await orders.start(code);
    await order.until(({ timeline }) => timeline.length > 0, '1 second');
    await order.postback({ id: orders.idOf(code), status: 'paid' });
    await clock.pass('15 minutes');
    expect(await order.state()).toMatchObject({ attention: 'submission_unknown' });
    expect(orders.made(code)).toHaveLength(1);
  });

  test.for([
    ['can not be read for an hour', { effect: 'none', status: 503 }],
    ['is shown only later', { effect: 'none', status: 404 }],
  ] as const)(
    'is not sent again while what a postback has named %s',
    async ([, fault], { clock, orders, sandbox }) => {
      const code = freshCode();
      sandbox.fault({ endpoint: 'POST /v1/order', partner_code: code, fault: throttled });
      const order = await orders.start(code, 'read-with-partner-code-always');
      await order.until(({ timeline }) => timeline.length > 0, '1 second');
      await order.postback({ id: orders.idOf(code), status: 'paid' });
      const times = fault.status === 404 ? 1 : 1_000;
      sandbox.fault({ endpoint: 'GET /v1/order/{id}', partner_code: code, times, fault });
      await clock.pass('70 minutes');
      sandbox.clearFaults();
      await order.until(statusIs('waiting_payment'), '1 hour');
      expect(orders.made(code)).toHaveLength(1);
    },
  );

  test('is not sent again when what a postback has named shows another value, and says whose it may be', async ({
    clock,
    orders,
    sandbox,
  }) => {
    const code = freshCode();
    sandbox.fault({ endpoint: 'POST /v1/order', partner_code: code, fault: throttled });
    const order = await orders.start(code);
    await order.until(({ timeline }) => timeline.length > 0, '1 second');
    const id = orders.idOf(code);
    const shown = { id, status: 'paid', value: '89,90' };
    const fault = { effect: 'none', status: 200, body: shown } as const;
    sandbox.fault({ endpoint: 'GET /v1/order/{id}', partner_code: code, times: 10, fault });
    await order.postback({ id, status: 'paid' });
    await clock.pass('15 minutes');
    expect(await order.state()).toMatchObject({
      attention: 'submission_unknown',
      attention_detail: expect.stringContaining('may be this one. ') as string,
    });
    expect(orders.made(code)).toHaveLength(1);
  });

  test('is sent again when what a postback names is no order, after it was looked for twice', async ({
    orders,
    sandbox,
  }) => {
    const code = freshCode();
    const fault = { effect: 'none', status: 429 } as const;
    sandbox.fault({ endpoint: 'POST /v1/order', partner_code: code, fault });
    const order = await orders.start(code);
    await order.until(({ timeline }) => timeline.length > 0, '1 second');
    await order.postback({ id: 'evt_1' });
    const taken = await order.until(statusIs('waiting_payment'), '1 minute', 30);
    expect(JSON.stringify(taken.timeline)).toContain('A postback names order evt_1');
    expect(orders.made(code)).toHaveLength(1);
  });

  test('is followed after it was cancelled, when a postback names it', async ({ orders, sandbox }) => {
    const code = freshCode();
    sandbox.fault({ endpoint: 'POST /v1/order', partner_code: code, fault: throttled });
    const order = await orders.start(code, 'read-with-partner-code-always', { watch_days: 0 });
    await order.until(({ timeline }) => timeline.length > 0, '1 second');
    await order.cancel();
    const cancelled = await order.until(statusIs('cancelled'), '1 second');
    expect(cancelled).toMatchObject({ closed: false });
    expect(cancelled.timeline.at(-1)?.what).toContain(
      "Cancelled. By the service's answer nothing was charged.",
    );
    await order.postback({ id: orders.idOf(code), status: 'paid' });
    await order.until(attentionIs('inconsistent_answer'), '1 second');
    expect(await order.state()).toMatchObject({ status: 'waiting_payment', closed: false });
  });
});

describe('a card order of unknown outcome', () => {
  test.for(['accepted-then-dropped', 'truncated', 'html', 'id-absent', '204', '500-after', '409'])(
    'after the answer %s needs attention and is never sent again',
    async (tag, { orders, clock }) => {
      const code = freshCode();
      const order = await orders.unknown(code, tag);
      await clock.sleep('2 days');
      expect(await order.state()).toMatchObject({
        status: 'submission_unknown',
        attention: 'submission_unknown',
        service_id: null,
      });
      expect(orders.made(code).length).toBeLessThan(2);
    },
  );

  test('ends rejected when an operator states that nothing had happened', async ({ orders }) => {
    const code = freshCode();
    const order = await orders.unknown(code, 'dropped-before');
    const resolved = await order.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    expect(resolved).toMatchObject({ status: 'rejected', attention: null });
    expect(await order.result()).toMatchObject({ status: 'rejected', closed: true });
  });

  test('refuses an identifier that can not be read, one of another order, and a resolution with neither or both', async ({
    orders,
    clock,
  }) => {
    const code = freshCode();
    const other = freshCode();
    await orders.submitted(other, 'read-with-partner-code');
    const order = await orders.unknown(code);
    const refused = (message: object) =>
      meanwhile(clock, order.command('resolveSubmission', message).catch(refusalOf));
    expect(await refused({ service_id: '999999999' })).toBe('CouldNotRead');
    expect(await refused({ service_id: orders.idOf(other) })).toBe('InvalidMessage');
    expect(await refused({})).toBe('InvalidMessage');
    expect(await refused({ service_id: orders.idOf(code), nothing_happened: true })).toBe('InvalidMessage');
    expect(await order.state()).toMatchObject({ status: 'submission_unknown' });
  });

  test('is found by a postback when the service itself shows that it is this order', async ({ orders }) => {
    const code = freshCode();
    const order = await orders.unknown(code, 'accepted-then-dropped+read-with-partner-code');
    await order.postback({ id: orders.idOf(code), status: 'paid' });
    const found = await order.until(statusIs('waiting_payment'), '1 second');
    expect(found).toMatchObject({ attention: null, service_id: orders.idOf(code) });
  });

  test('shows what a postback named as a candidate, no more, when the service does not show whose it is', async ({
    orders,
  }) => {
    const code = freshCode();
    const order = await orders.unknown(code);
    await order.postback({ id: orders.idOf(code), status: 'paid' });
    const state = await order.until(({ candidates }) => candidates.length > 0, '1 second');
    expect(state).toMatchObject({
      status: 'submission_unknown',
      candidates: [orders.idOf(code)],
      service_id: null,
    });
  });

  test('that a postback names needs an operator when the service shows another value, and does not close', async ({
    orders,
  }) => {
    const code = freshCode();
    const tags = 'denied-at-once+accepted-then-dropped+read-with-partner-code+read-value-other-always';
    const order = await orders.start(code, tags, { watch_days: 0 });
    await order.until(statusIs('submission_unknown'));
    await order.postback({ id: orders.idOf(code), status: 'denied' });
    const found = await order.until(attentionIs('inconsistent_answer'), '1 second');
    expect(found).toMatchObject({ service_id: orders.idOf(code), closed: false });
    expect(found.last_read).toMatchObject({ status: 'denied' });
  });

  test('does not follow another order that a postback names', async ({ orders, clock }) => {
    const code = freshCode();
    const other = freshCode();
    await orders.submitted(other, 'read-with-partner-code');
    const order = await orders.unknown(code);
    await order.postback({ order: { id: orders.idOf(other) } });
    await clock.sleep('1 minute');
    expect(await order.state()).toMatchObject({ status: 'submission_unknown', service_id: null });
  });

  test('reads a candidate later when the service can not be read just then', async ({ orders, sandbox }) => {
    const code = freshCode();
    const order = await orders.unknown(code, 'accepted-then-dropped+read-with-partner-code');
    sandbox.fault({
      endpoint: 'GET /v1/order/{id}',
      partner_code: code,
      times: 5,
      fault: { effect: 'none', status: 503 },
    });
    await order.postback({ id: orders.idOf(code) });
    await order.until(statusIs('waiting_payment'), '5 minutes');
  });

  test('takes no resolution once its outcome is known', async ({ orders }) => {
    const order = await orders.submitted(freshCode());
    await order.until(({ commands }) => !commands.includes('resolveSubmission'));
    const answer = order.command('resolveSubmission', { nothing_happened: true }).catch(refusalOf);
    expect(await answer).toBe('NotUnknown');
  });
});
