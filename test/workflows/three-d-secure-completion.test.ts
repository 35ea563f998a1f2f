import { describe, expect } from 'vitest';
import { statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

describe('a card of a 3D Secure order', () => {
  test('that is lost is awaited again, and the order is completed again within its time', async ({
    secureOrders,
  }) => {
    const code = freshCode();
    const order = await secureOrders.opened(code);
    await secureOrders.complete(order, secureOrders.completion({ card: secureOrders.cards.lost() }));
    await order.until(statusIs('awaiting_card'), '1 second');
    expect(await order.state()).toMatchObject({ attention: 'awaiting_card' });
    expect(await secureOrders.complete(order)).toMatchObject({ status: 'submitting', attention: null });
    await order.until(statusIs('waiting_payment'), '1 second');
    expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 1 }]);
  });

  test('that is lost can be given again alone', async ({ secureOrders }) => {
    const code = freshCode();
    const order = await secureOrders.opened(code);
    await secureOrders.complete(order, secureOrders.completion({ card: secureOrders.cards.lost() }));
    await order.until(statusIs('awaiting_card'), '1 second');
    await order.command('provideCard', secureOrders.cards.stored());
    await order.until(statusIs('waiting_payment'), '1 second');
    expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 1 }]);
  });

  test('that is lost and never given again lets the order expire', async ({ secureOrders }) => {
    const order = await secureOrders.opened(freshCode());
    await secureOrders.complete(order, secureOrders.completion({ card: secureOrders.cards.lost() }));
    await order.until(statusIs('awaiting_card'), '1 second');
    expect(await order.until(statusIs('expired'), '1 minute', 40)).toMatchObject({ attention: null });
  });

  test.for([
    ['reads as paid by then', 'paid'],
    ['can not be read', undefined],
  ] as const)(
    'that waits to be sent again is not sent when its order %s',
    async ([, status], { sandbox, secureOrders, clock }) => {
      const code = freshCode();
      const order = await secureOrders.opened(code);
      const again = { effect: 'none', status: 429, headers: { 'retry-after': '60' } } as const;
      sandbox.fault({ endpoint: 'PUT /v1/3ds/order/{id}', partner_code: code, fault: again });
      await secureOrders.complete(order);
      const fault = { effect: 'none', status: 503 } as const;
      sandbox.fault({ endpoint: 'GET /v1/order/{id}', partner_code: code, times: 1_000, fault });
      await clock.pass('55 seconds');
      if (status !== undefined) {
        sandbox.clearFaults();
        sandbox.setOrderStatus(code, status);
      }
      await clock.pass('4 minutes');
      expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 0 }]);
      if (status === undefined) {
        sandbox.clearFaults();
        await order.until(statusIs('waiting_payment'), '10 seconds', 60);
        expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 1 }]);
      } else {
        expect(await order.state()).toMatchObject({ status, commands: [] });
      }
    },
  );

  test('is not taken without credentials, nor twice', async ({ secureOrders }) => {
    const code = freshCode();
    const order = await secureOrders.opened(code);
    expect(await secureOrders.complete(order, { card: secureOrders.cards.stored() }).catch(refusalOf)).toBe(
      'InvalidMessage',
    );
    expect(await secureOrders.complete(order, secureOrders.completion({ card: {} })).catch(refusalOf)).toBe(
      'InvalidMessage',
    );
    const answers = await Promise.all([
      secureOrders.complete(order).catch(refusalOf),
      secureOrders.complete(order).catch(refusalOf),
    ]);
    expect(answers).toContain('NotAwaitingAuthentication');
    await order.until(statusIs('waiting_payment'), '1 second');
    expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 1 }]);
  });
});

describe('a completion of unknown outcome', () => {
  test.for([
    'completion-accepted-then-dropped',
    'completion-500-after',
    'completion-html',
    'completion-307-after',
  ])(
    'by %s is never sent again, does not expire, and a read shows its outcome',
    async (tag, { secureOrders, sandbox, clock }) => {
      const code = freshCode();
      const order = await secureOrders.unknownCompletion(code, tag);
      expect(await secureOrders.complete(order).catch(refusalOf)).toBe('NotAwaitingAuthentication');
      await clock.sleep('1 hour');
      expect(await order.state()).toMatchObject({ status: 'submission_unknown' });
      sandbox.setOrderStatus(code, 'paid');
      expect(await order.until(statusIs('paid'), '5 minutes')).toMatchObject({ attention: null });
      expect(await order.command('resolveSubmission', { nothing_happened: true }).catch(refusalOf)).toBe(
        'NotUnknown',
      );
      expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 1 }]);
    },
  );

  test('that an operator finds to have done nothing is open again for its time', async ({ secureOrders }) => {
    const code = freshCode();
    const order = await secureOrders.unknownCompletion(code, 'completion-dropped-before');
    const resolved = await order.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    expect(resolved).toMatchObject({ status: 'awaiting_authentication', attention: null });
    await secureOrders.complete(order);
    const completed = await order.until(statusIs('waiting_payment'), '1 second');
    expect(completed.refusal).toBeNull();
    expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 1 }]);
  });

  test('that an operator wrongly finds to have done nothing is not made again with a card that is given later', async ({
    secureOrders,
    sandbox,
  }) => {
    const code = freshCode();
    const order = await secureOrders.unknownCompletion(code);
    await order.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    await secureOrders.complete(order, secureOrders.completion({ card: secureOrders.cards.lost() }));
    await order.until(statusIs('awaiting_card'), '1 second');
    sandbox.setOrderStatus(code, 'paid');
    expect(await secureOrders.complete(order).catch(refusalOf)).toBe('NotAwaitingAuthentication');
    const another = order.command('provideCard', secureOrders.cards.stored());
    expect(await another.catch(refusalOf)).toBe('NotAwaitingCard');
    expect(await order.state()).toMatchObject({ status: 'paid' });
    expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 1 }]);
  });

  test('is not made again with a card that is given later while a read shows it as paid', async ({
    secureOrders,
    sandbox,
  }) => {
    const code = freshCode();
    const order = await secureOrders.unknownCompletion(code);
    await order.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    await secureOrders.complete(order, secureOrders.completion({ card: secureOrders.cards.lost() }));
    await order.until(statusIs('awaiting_card'), '1 second');
    sandbox.setOrderStatus(code, 'paid');
    await order.command('provideCard', secureOrders.cards.stored());
    await order.until(statusIs('paid'), '1 second', 10);
    expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 1 }]);
  });

  test('that an operator finds to have done nothing expires when its time is over', async ({
    secureOrders,
    clock,
  }) => {
    const order = await secureOrders.unknownCompletion(freshCode(), 'completion-dropped-before');
    await clock.sleep('1 hour');
    await order.command('resolveSubmission', { nothing_happened: true });
    await order.until(statusIs('expired'), '1 minute', 5);
    expect(await order.result('10 days')).toMatchObject({ status: 'expired' });
  });

  test('that an operator finds to be taken is followed on', async ({ secureOrders }) => {
    const code = freshCode();
    const order = await secureOrders.unknownCompletion(code);
    const wrong = order.command('resolveSubmission', { service_id: '12' }).catch(refusalOf);
    expect(await wrong).toBe('InvalidMessage');
    const resolved = await order.command('resolveSubmission', { service_id: secureOrders.made(code)[0]?.id });
    expect(resolved).toMatchObject({ status: 'waiting_payment', attention: null });
  });
});

describe('a completion that the service refuses', () => {
  test('shows its words and can be made again, once a fresh read shows that it did nothing', async ({
    secureOrders,
  }) => {
    const code = freshCode();
    const order = await secureOrders.opened(code, 'completion-422-text');
    await secureOrders.complete(order);
    const refused = await order.until(({ refusal }) => refusal !== null, '1 second');
    expect(refused.status).toBe('awaiting_authentication');
    await secureOrders.complete(order);
    await order.until(statusIs('waiting_payment'), '1 second');
    expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 1 }]);
  });

  test('is not made again when the fresh read shows that the order has moved', async ({
    secureOrders,
    sandbox,
  }) => {
    const code = freshCode();
    const order = await secureOrders.opened(code, 'completion-422-text');
    await secureOrders.complete(order);
    await order.until(({ refusal }) => refusal !== null, '1 second');
    sandbox.setOrderStatus(code, 'paid');
    expect(await secureOrders.complete(order).catch(refusalOf)).toBe('NotAwaitingAuthentication');
    expect(await order.state()).toMatchObject({ status: 'paid', attention: null });
  });
});

describe('a completion that was put off', () => {
  const again = { effect: 'none', status: 429, headers: { 'retry-after': '60' } } as const;
  const down = { effect: 'none', status: 503 } as const;

  test('for longer than its time needs nobody once the service is back: nothing was sent', async ({
    secureOrders,
    sandbox,
    clock,
  }) => {
    const code = freshCode();
    const order = await secureOrders.opened(code);
    sandbox.fault({ endpoint: 'PUT /v1/3ds/order/{id}', partner_code: code, times: 1_000, fault: again });
    sandbox.fault({ endpoint: 'GET /v1/order/{id}', partner_code: code, times: 1_000, fault: down });
    await secureOrders.complete(order);
    await clock.pass('31 minutes');
    expect(await order.state()).toMatchObject({ status: 'awaiting_authentication' });
    await clock.pass('3 hours');
    sandbox.clearFaults();
    expect(await order.until(statusIs('expired'), '1 hour')).toMatchObject({ attention: null });
    expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 0 }]);
  });

  test('and whose card was lost is sent with another card after a fresh read alone', async ({
    secureOrders,
    sandbox,
    clock,
  }) => {
    const code = freshCode();
    const order = await secureOrders.opened(code);
    sandbox.fault({ endpoint: 'PUT /v1/3ds/order/{id}', partner_code: code, fault: again });
    const card = secureOrders.cards.stored();
    await secureOrders.complete(order, secureOrders.completion({ card }));
    secureOrders.cards.discard(card);
    await order.until(statusIs('awaiting_card'), '1 second');
    sandbox.fault({ endpoint: 'GET /v1/order/{id}', partner_code: code, times: 1_000, fault: down });
    await order.command('provideCard', secureOrders.cards.stored());
    await clock.pass('1 minute');
    expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 0 }]);
    sandbox.clearFaults();
    await order.until(statusIs('waiting_payment'), '10 seconds', 60);
    expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 1 }]);
  });
});
