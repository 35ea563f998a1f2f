import { describe, expect } from 'vitest';
import { statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

describe('a card of a 3D Secure order', () => {
  test('that is lost is awaited again, and the order is completed again within its time', async ({
    secureOrder,
  }) => {
    await secureOrder.opened();
    await secureOrder.complete(secureOrder.completion({ card: secureOrder.cards.lost() }));
    await secureOrder.until(statusIs('awaiting_card'), '1 second');
    expect(await secureOrder.state()).toMatchObject({ attention: 'awaiting_card' });
    expect(await secureOrder.complete()).toMatchObject({ status: 'submitting', attention: null });
    await secureOrder.until(statusIs('waiting_payment'), '1 second');
    expect(secureOrder.made()).toMatchObject([{ times_submitted: 1 }]);
  });

  test('that is lost can be given again alone', async ({ secureOrder }) => {
    await secureOrder.opened();
    await secureOrder.complete(secureOrder.completion({ card: secureOrder.cards.lost() }));
    await secureOrder.until(statusIs('awaiting_card'), '1 second');
    await secureOrder.command('provideCard', secureOrder.cards.stored());
    await secureOrder.until(statusIs('waiting_payment'), '1 second');
    expect(secureOrder.made()).toMatchObject([{ times_submitted: 1 }]);
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
    async ([, status], { secureOrder }) => {
      await secureOrder.opened();
      secureOrder.service.answers('PUT /v1/3ds/order/{id}', {
        effect: 'none',
        status: 429,
        headers: { 'retry-after': '60' },
      });
      await secureOrder.complete();
      secureOrder.service.fails('GET /v1/order/{id}');
      await secureOrder.after('55 seconds');
      if (status !== undefined) {
        secureOrder.service.recovers();
        secureOrder.service.shows(status);
      }
      await secureOrder.after('4 minutes');
      expect(secureOrder.made()).toMatchObject([{ times_submitted: 0 }]);
      if (status === undefined) {
        secureOrder.service.recovers();
        await secureOrder.until(statusIs('waiting_payment'), '10 seconds', 60);
        expect(secureOrder.made()).toMatchObject([{ times_submitted: 1 }]);
      } else {
        expect(await secureOrder.state()).toMatchObject({ status, commands: [] });
      }
    },
  );

  test('is not taken without credentials, nor twice', async ({ secureOrder }) => {
    await secureOrder.opened();
    expect(await secureOrder.complete({ card: secureOrder.cards.stored() }).catch(refusalOf)).toBe(
      'InvalidMessage',
    );
    expect(await secureOrder.complete(secureOrder.completion({ card: {} })).catch(refusalOf)).toBe(
      'InvalidMessage',
    );
    const answers = await Promise.all([
      secureOrder.complete().catch(refusalOf),
      secureOrder.complete().catch(refusalOf),
    ]);
    expect(answers).toContain('NotAwaitingAuthentication');
    await secureOrder.until(statusIs('waiting_payment'), '1 second');
    expect(secureOrder.made()).toMatchObject([{ times_submitted: 1 }]);
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
    async (tag, { secureOrder }) => {
      await secureOrder.unknownCompletion(tag);
      expect(await secureOrder.complete().catch(refusalOf)).toBe('NotAwaitingAuthentication');
      expect(await secureOrder.after('1 hour')).toMatchObject({ status: 'submission_unknown' });
      secureOrder.service.shows('paid');
      expect(await secureOrder.until(statusIs('paid'), '5 minutes')).toMatchObject({ attention: null });
      expect(
        await secureOrder.command('resolveSubmission', { nothing_happened: true }).catch(refusalOf),
      ).toBe('NotUnknown');
      expect(secureOrder.made()).toMatchObject([{ times_submitted: 1 }]);
    },
  );

  test('that an operator finds to have done nothing is open again for its time', async ({ secureOrder }) => {
    await secureOrder.unknownCompletion('completion-dropped-before');
    const resolved = await secureOrder.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    expect(resolved).toMatchObject({ status: 'awaiting_authentication', attention: null });
    await secureOrder.complete();
    const completed = await secureOrder.until(statusIs('waiting_payment'), '1 second');
    expect(completed.refusal).toBeNull();
    expect(secureOrder.made()).toMatchObject([{ times_submitted: 1 }]);
  });

  test('that an operator wrongly finds to have done nothing is not made again with a card that is given later', async ({
    secureOrder,
  }) => {
    await secureOrder.unknownCompletion();
    await secureOrder.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    await secureOrder.complete(secureOrder.completion({ card: secureOrder.cards.lost() }));
    await secureOrder.until(statusIs('awaiting_card'), '1 second');
    secureOrder.service.shows('paid');
    expect(await secureOrder.complete().catch(refusalOf)).toBe('NotAwaitingAuthentication');
    const another = secureOrder.command('provideCard', secureOrder.cards.stored());
    expect(await another.catch(refusalOf)).toBe('NotAwaitingCard');
    expect(await secureOrder.state()).toMatchObject({ status: 'paid' });
    expect(secureOrder.made()).toMatchObject([{ times_submitted: 1 }]);
  });

  test('is not made again with a card that is given later while a read shows it as paid', async ({
    secureOrder,
  }) => {
    await secureOrder.unknownCompletion();
    await secureOrder.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    await secureOrder.complete(secureOrder.completion({ card: secureOrder.cards.lost() }));
    await secureOrder.until(statusIs('awaiting_card'), '1 second');
    secureOrder.service.shows('paid');
    await secureOrder.command('provideCard', secureOrder.cards.stored());
    await secureOrder.until(statusIs('paid'), '1 second', 10);
    expect(secureOrder.made()).toMatchObject([{ times_submitted: 1 }]);
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

  test('that an operator finds to be taken is followed on', async ({ secureOrder }) => {
    await secureOrder.unknownCompletion();
    const wrong = secureOrder.command('resolveSubmission', { service_id: '12' }).catch(refusalOf);
    expect(await wrong).toBe('InvalidMessage');
    const resolved = await secureOrder.command('resolveSubmission', {
      service_id: secureOrder.made()[0]?.id,
    });
    expect(resolved).toMatchObject({ status: 'waiting_payment', attention: null });
  });
});

describe('a completion that the service refuses', () => {
  test('shows its words and can be made again, once a fresh read shows that it did nothing', async ({
    secureOrder,
  }) => {
    await secureOrder.opened('completion-422-text');
    await secureOrder.complete();
    const refused = await secureOrder.until(({ refusal }) => refusal !== null, '1 second');
    expect(refused.status).toBe('awaiting_authentication');
    await secureOrder.complete();
    await secureOrder.until(statusIs('waiting_payment'), '1 second');
    expect(secureOrder.made()).toMatchObject([{ times_submitted: 1 }]);
  });

  test('is not made again when the fresh read shows that the order has moved', async ({ secureOrder }) => {
    await secureOrder.opened('completion-422-text');
    await secureOrder.complete();
    await secureOrder.until(({ refusal }) => refusal !== null, '1 second');
    secureOrder.service.shows('paid');
    expect(await secureOrder.complete().catch(refusalOf)).toBe('NotAwaitingAuthentication');
    expect(await secureOrder.state()).toMatchObject({ status: 'paid', attention: null });
  });
});

describe('a completion that was put off', () => {
  const again = { effect: 'none', status: 429, headers: { 'retry-after': '60' } } as const;
  const down = { effect: 'none', status: 503 } as const;

  test('for longer than its time needs nobody once the service is back: nothing was sent', async ({
    secureOrder,
  }) => {
    await secureOrder.opened();
    secureOrder.service.answers('PUT /v1/3ds/order/{id}', again, { times: 1_000 });
    secureOrder.service.answers('GET /v1/order/{id}', down, { times: 1_000 });
    await secureOrder.complete();
    expect(await secureOrder.after('31 minutes')).toMatchObject({ status: 'awaiting_authentication' });
    await secureOrder.after('3 hours');
    secureOrder.service.recovers();
    expect(await secureOrder.until(statusIs('expired'), '1 hour')).toMatchObject({ attention: null });
    expect(secureOrder.made()).toMatchObject([{ times_submitted: 0 }]);
  });

  test('and whose card was lost is sent with another card after a fresh read alone', async ({
    secureOrder,
  }) => {
    await secureOrder.opened();
    secureOrder.service.answers('PUT /v1/3ds/order/{id}', again);
    const card = secureOrder.cards.stored();
    await secureOrder.complete(secureOrder.completion({ card }));
    secureOrder.cards.discard(card);
    await secureOrder.until(statusIs('awaiting_card'), '1 second');
    secureOrder.service.answers('GET /v1/order/{id}', down, { times: 1_000 });
    await secureOrder.command('provideCard', secureOrder.cards.stored());
    await secureOrder.after('1 minute');
    expect(secureOrder.made()).toMatchObject([{ times_submitted: 0 }]);
    secureOrder.service.recovers();
    await secureOrder.until(statusIs('waiting_payment'), '10 seconds', 60);
    expect(secureOrder.made()).toMatchObject([{ times_submitted: 1 }]);
  });
});
