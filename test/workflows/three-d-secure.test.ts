import { describe, expect } from 'vitest';
import { attentionIs, statusIs, timelineShows } from '../support/payment.js';
import { test as payments } from '../support/plain-payments.js';

const nothingHappened = { nothing_happened: true };

const test = payments
  /** Completes it with a card that is lost before it is sent; another one is awaited then. */
  .extend('completedWithoutCard', ({ secureOrder }) => async () => {
    const { cards, completion } = secureOrder;
    await secureOrder.complete(completion({ card: cards.lost() }));
    await secureOrder.until(attentionIs('awaiting_card'), '1 second');
  })
  /** Waits until its completion was sent once. */
  .extend('completedOnce', ({ secureOrder }) => async () => {
    const completed = await secureOrder.until(statusIs('waiting_payment'), '10 seconds', 60);
    expect(completed).toMatchObject({ attention: null, refusal: null });
    expect(secureOrder.times()).toBe(1);
  });

test('a 3D Secure order shows until when it can be completed, and its answer', async ({ secureOrder }) => {
  await secureOrder.opened();
  const { authentication, updated_at: at } = await secureOrder.state();
  expect(Date.parse(authentication?.until ?? '') - Date.parse(at)).toBe(30 * 60_000);
  expect(authentication?.answer).toMatchObject({ id: secureOrder.id() });
});

test('a 3D Secure order is open no longer when no read works, nor when its identifier is given again', async ({
  secureOrder,
}) => {
  await secureOrder.opened();
  const { authentication } = await secureOrder.state();
  secureOrder.service.fails('GET /v1/order/{id}');
  await secureOrder.after('31 minutes');
  const late = secureOrder.completion();
  expect(await secureOrder.refusal('completeThreeDSecure', late)).toBe('NotAwaitingAuthentication');
  await secureOrder.after('2 hours');
  secureOrder.service.recovers();
  const found = await secureOrder.command('resolveSubmission', { service_id: secureOrder.id() });
  expect(found).toMatchObject({ authentication });
});

describe('a completion', () => {
  test('that is answered 429 for all its time charges nothing', async ({ secureOrder }) => {
    await secureOrder.opened('completion-429-always');
    await secureOrder.complete();
    const expired = await secureOrder.until(statusIs('expired'), '1 minute', 60);
    expect(timelineShows("By the service's answer nothing was charged by it.")(expired)).toBe(true);
    expect(secureOrder.times()).toBe(0);
  });
});

describe('a completion that was put off', () => {
  test('is not made when its order reads as paid by then', async ({ secureOrder }) => {
    await secureOrder.opened();
    secureOrder.service.throttles('PUT /v1/3ds/order/{id}', 60);
    await secureOrder.complete();
    secureOrder.service.fails('GET /v1/order/{id}');
    await secureOrder.after('55 seconds');
    secureOrder.service.recovers();
    secureOrder.service.shows('paid');
    expect(await secureOrder.after('4 minutes')).toMatchObject({ status: 'paid', commands: [] });
    expect(secureOrder.times()).toBe(0);
  });

  test('for longer than its time needs nobody once the service is back', async ({ secureOrder }) => {
    await secureOrder.opened('completion-429-always');
    secureOrder.service.fails('GET /v1/order/{id}');
    await secureOrder.complete();
    expect(await secureOrder.after('31 minutes')).toMatchObject({ status: 'awaiting_authentication' });
    await secureOrder.after('3 hours');
    secureOrder.service.recovers();
    expect(await secureOrder.until(statusIs('expired'), '1 hour')).toMatchObject({ attention: null });
    expect(secureOrder.times()).toBe(0);
  });

  test('and whose card was lost is sent with another card after a fresh read alone', async ({
    completedOnce,
    secureOrder,
  }) => {
    await secureOrder.opened();
    secureOrder.service.throttles('PUT /v1/3ds/order/{id}', 60);
    const card = secureOrder.cards.stored();
    await secureOrder.complete(secureOrder.completion({ card }));
    secureOrder.cards.discard(card);
    await secureOrder.until(statusIs('awaiting_card'), '1 second');
    secureOrder.service.fails('GET /v1/order/{id}');
    await secureOrder.command('provideCard', secureOrder.cards.stored());
    await secureOrder.after('1 minute');
    expect(secureOrder.times()).toBe(0);
    secureOrder.service.recovers();
    await completedOnce();
  });
});

describe('a completion whose card was lost', () => {
  test.for(['completeThreeDSecure', 'provideCard'] as const)(
    'is made with another card within its time, by %s',
    async (name, { completedOnce, completedWithoutCard, secureOrder }) => {
      await secureOrder.opened();
      await completedWithoutCard();
      const { cards, completion } = secureOrder;
      const message = name === 'provideCard' ? cards.stored() : completion();
      expect(await secureOrder.command(name, message)).toMatchObject({
        status: 'submitting',
        attention: null,
      });
      await completedOnce();
    },
  );

  test('lets the order expire when none is given again', async ({ completedWithoutCard, secureOrder }) => {
    await secureOrder.opened();
    await completedWithoutCard();
    expect(await secureOrder.until(statusIs('expired'), '1 minute', 40)).toMatchObject({ attention: null });
  });
});

describe('a completion of unknown outcome', () => {
  test('is never sent again, does not expire, and a read shows its outcome', async ({ secureOrder }) => {
    await secureOrder.unknownCompletion();
    const again = secureOrder.completion();
    expect(await secureOrder.refusal('completeThreeDSecure', again)).toBe('NotAwaitingAuthentication');
    expect(await secureOrder.after('1 hour')).toMatchObject({ status: 'submission_unknown' });
    secureOrder.service.shows('paid');
    expect(await secureOrder.until(statusIs('paid'), '5 minutes')).toMatchObject({ attention: null });
    expect(await secureOrder.refusal('resolveSubmission', nothingHappened)).toBe('NotUnknown');
    expect(secureOrder.times()).toBe(1);
  });

  test('that an operator finds to have done nothing is open again', async ({
    completedOnce,
    secureOrder,
  }) => {
    await secureOrder.unknownCompletion('completion-dropped-before');
    const resolved = await secureOrder.command('resolveSubmission', nothingHappened);
    expect(resolved).toMatchObject({ status: 'awaiting_authentication', attention: null });
    await secureOrder.complete();
    await completedOnce();
  });

  test('that an operator finds to have done nothing expires in time', async ({ secureOrder }) => {
    await secureOrder.unknownCompletion('completion-dropped-before');
    await secureOrder.after('1 hour');
    await secureOrder.command('resolveSubmission', nothingHappened);
    await secureOrder.until(statusIs('expired'), '1 minute', 5);
    expect(await secureOrder.result('10 days')).toMatchObject({ status: 'expired' });
  });

  test('that an operator wrongly denies is not made again by a command', async ({
    completedWithoutCard,
    secureOrder,
  }) => {
    await secureOrder.unknownCompletion();
    await secureOrder.command('resolveSubmission', nothingHappened);
    await completedWithoutCard();
    secureOrder.service.shows('paid');
    const { cards, completion } = secureOrder;
    expect(await secureOrder.refusal('completeThreeDSecure', completion())).toBe('NotAwaitingAuthentication');
    expect(await secureOrder.refusal('provideCard', cards.stored())).toBe('NotAwaitingCard');
    expect(await secureOrder.state()).toMatchObject({ status: 'paid' });
    expect(secureOrder.times()).toBe(1);
  });

  test('that an operator finds to be taken is followed on', async ({ secureOrder }) => {
    await secureOrder.unknownCompletion();
    expect(await secureOrder.refusal('resolveSubmission', { service_id: '12' })).toBe('InvalidMessage');
    const resolved = await secureOrder.command('resolveSubmission', { service_id: secureOrder.id() });
    expect(resolved).toMatchObject({ status: 'waiting_payment', attention: null });
  });
});
