import { describe, expect } from 'vitest';
import { orderKinds } from '../support/lifecycles/order-kinds.js';
import { attentionIs, statusIs, timelineShows } from '../support/payment.js';
import { ownOrderOf } from '../support/plain/own-payments.js';
import { test as payments } from '../support/plain-payments.js';

/** Reads show whose order it is. */
const named = 'read-with-partner-code-always';

describe.for(orderKinds)('%s', ([, kind]) => {
  const { endpoint, taken } = kind;
  const ofKind = payments.extend('anyOrder', ({ code, stack }) => ownOrderOf(kind, stack, code));

  describe('that the service refuses', () => {
    /** Starts one that the service makes all the same, or not. */
    const test = ofKind.extend('refused', ({ anyOrder }) => {
      return async (tags: string, effect: 'done' | 'none' = 'done') => {
        const body = { error: 'value is too high' };
        anyOrder.service.answers(endpoint, { effect, status: 422, body });
        await anyOrder.start(tags, { watch_days: 0 });
        await anyOrder.until(statusIs('rejected'), '1 second');
      };
    });

    test('is open for longer while what a postback named can not be read', async ({ anyOrder, refused }) => {
      await refused(named);
      await anyOrder.after('167 hours');
      anyOrder.service.fails('GET /v1/order/{id}');
      await anyOrder.postback({ id: anyOrder.id(), status: 'paid' });
      expect(await anyOrder.after('3 hours')).toMatchObject({ status: 'rejected', closed: false });
      anyOrder.service.recovers();
      await anyOrder.until(attentionIs('inconsistent_answer'), '15 minutes');
    });

    test('is open for a week with watch_days 0, and not read', async ({ anyOrder, refused, sandbox }) => {
      await refused('', 'none');
      const before = sandbox.ledger().calls['GET /v1/order/{id}'];
      const state = await anyOrder.after('6 days');
      expect(state).toMatchObject({ status: 'rejected', attention: null, closed: false });
      expect(state.timeline.at(-1)?.what).toBe(
        "The service refused the order. By the service's answer nothing was charged. A postback that names it is followed for a week at least.",
      );
      expect(sandbox.ledger().calls['GET /v1/order/{id}']).toBe(before);
      expect(await anyOrder.after('2 days')).toMatchObject({ status: 'rejected', closed: true });
    });
  });

  describe('that the service charges, and answers 429', () => {
    /** Starts one that waits to be sent again. */
    const test = ofKind.extend('throttled', ({ anyOrder }) => {
      return async (tags: string, effect: 'done' | 'none' = 'done') => {
        anyOrder.service.throttles(endpoint, effect === 'done' ? 600 : 1, effect);
        await anyOrder.start(tags, { watch_days: 0 });
        const words =
          "Nothing was done by the service's answer, will be sent again: The service answered 429.";
        await anyOrder.until(timelineShows(words), '1 second');
      };
    });

    test.for([
      ['can not be read for an hour', 503, 1_000],
      ['is shown only later', 404, 1],
    ] as const)(
      'is not sent again while what a postback has named %s',
      async ([, status, times], { anyOrder, throttled }) => {
        await throttled(named);
        const id = anyOrder.id();
        await anyOrder.postback({ id, status: 'paid' });
        anyOrder.service.answers('GET /v1/order/{id}', { effect: 'none', status }, { times });
        await anyOrder.after('70 minutes');
        anyOrder.service.recovers();
        await anyOrder.until(({ service_id }) => service_id === id, '15 minutes', 6);
        expect(anyOrder.made()).toHaveLength(1);
      },
    );

    test('is not sent again when a read shows another value', async ({ anyOrder, throttled }) => {
      await throttled('');
      const body = { id: anyOrder.id(), status: 'paid', value: '89,90' };
      anyOrder.service.answers('GET /v1/order/{id}', { effect: 'none', status: 200, body }, { times: 10 });
      await anyOrder.postback({ id: anyOrder.id(), status: 'paid' });
      const { attention, attention_detail: detail } = await anyOrder.after('15 minutes');
      expect(attention).toBe('submission_unknown');
      expect(detail).toContain('may be this one. ');
      expect(anyOrder.made()).toHaveLength(1);
    });

    test('is sent again when what a postback names is no order', async ({ anyOrder, throttled }) => {
      await throttled('', 'none');
      await anyOrder.postback({ id: 'evt_1' });
      const sent = await anyOrder.until(statusIs(taken), '1 minute', 30);
      expect(timelineShows('A postback names order evt_1')(sent)).toBe(true);
      expect(anyOrder.made()).toHaveLength(1);
    });

    test('is followed after it was cancelled, when a postback names it', async ({ anyOrder, throttled }) => {
      await throttled(named);
      await anyOrder.cancel();
      const cancelled = await anyOrder.until(statusIs('cancelled'), '1 second');
      expect(cancelled).toMatchObject({ closed: false });
      const words = "Cancelled. By the service's answer nothing was charged.";
      expect(cancelled.timeline.at(-1)?.what).toContain(words);
      await anyOrder.postback({ id: anyOrder.id(), status: 'paid' });
      const found = await anyOrder.until(attentionIs('inconsistent_answer'), '1 second');
      expect(found).toMatchObject({ status: taken, closed: false });
    });
  });
});
