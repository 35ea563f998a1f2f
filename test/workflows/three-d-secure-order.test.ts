import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode, testCard } from '../support/requests.js';

describe('a 3D Secure order that goes well', () => {
  test('shows until when it can be completed, and what the service answered', async ({ secureOrder }) => {
    await secureOrder.opened();
    const { authentication, updated_at: at } = await secureOrder.state();
    expect(Date.parse(authentication?.until ?? '') - Date.parse(at)).toBe(30 * 60_000);
    expect(authentication?.answer).toMatchObject({ id: secureOrder.made()[0]?.id });
  });

  test.for(['completion-status-absent', 'completion-nested', 'completion-204', 'completion-id-integer'])(
    'works with the answer %s as if it were usual',
    async (tag, { secureOrder }) => {
      await secureOrder.opened(tag);
      await secureOrder.complete();
      await secureOrder.until(statusIs('waiting_payment'));
      expect(secureOrder.made()).toMatchObject([{ times_submitted: 1 }]);
    },
  );

  test.for([
    ['429', () => undefined],
    ['the end of its token', (sandbox: { expireToken: () => void }) => sandbox.expireToken()],
  ] as const)('sends the same card again after %s', async ([tag, happens], { sandbox, secureOrder }) => {
    await secureOrder.opened(tag === '429' ? 'completion-429' : '');
    happens(sandbox);
    await secureOrder.complete();
    await secureOrder.until(statusIs('waiting_payment'), '1 second');
    expect(secureOrder.made()).toMatchObject([{ times_submitted: 1 }]);
  });

  test('works when the service answers the creation without a status', async ({ secureOrder }) => {
    await secureOrder.opened('status-absent');
    await secureOrder.complete();
    await secureOrder.until(statusIs('waiting_payment'), '1 second');
  });
});

describe('the time of a 3D Secure order', () => {
  test('is over after half an hour, by a read that worked', async ({ secureOrders, clock }) => {
    const order = await secureOrders.opened(freshCode());
    await clock.sleep('29 minutes');
    expect(await order.state()).toMatchObject({ status: 'awaiting_authentication' });
    const expired = await order.until(statusIs('expired'), '1 minute', 3);
    expect(expired).toMatchObject({ attention: null, closed: false });
    expect(await secureOrders.complete(order).catch(refusalOf)).toBe('NotAwaitingAuthentication');
    expect(await order.result('10 days')).toMatchObject({ status: 'expired' });
  });

  test('does not end while no read works: it needs attention', async ({ secureOrder }) => {
    await secureOrder.opened();
    await secureOrder.after('20 minutes');
    secureOrder.service.answers('GET /v1/order/{id}', { effect: 'none', status: 503 }, { times: 60 });
    const unread = await secureOrder.until(attentionIs('overdue'), '1 minute', 30);
    expect(unread.status).toBe('awaiting_authentication');
    secureOrder.service.recovers();
    await secureOrder.until(statusIs('expired'), '5 minutes');
  });

  test('ends for a completion that could not be sent, and nothing is charged', async ({ secureOrder }) => {
    await secureOrder.opened('completion-429-always');
    await secureOrder.complete();
    const expired = await secureOrder.until(statusIs('expired'), '1 minute', 60);
    expect(JSON.stringify(expired.timeline)).toContain("By the service's answer nothing was charged by it.");
    expect(secureOrder.made()).toMatchObject([{ times_submitted: 0 }]);
  });

  test('is over for an order that is paid after it: it needs attention', async ({ secureOrder }) => {
    await secureOrder.opened();
    await secureOrder.until(statusIs('expired'), '5 minutes');
    secureOrder.service.shows('paid');
    expect(await secureOrder.until(statusIs('paid'), '1 day')).toMatchObject({
      attention: 'inconsistent_answer',
    });
  });
});

describe('a 3D Secure order that is not opened', () => {
  test('because the service refuses it is rejected', async ({ secureOrders }) => {
    const result = await (await secureOrders.start(freshCode(), '422')).result();
    expect(result).toMatchObject({ status: 'rejected', attention: null, closed: true });
  });

  test('because its outcome is unknown waits for an operator, and then for the customer', async ({
    secureOrder,
  }) => {
    await secureOrder.start('accepted-then-dropped');
    await secureOrder.until(statusIs('submission_unknown'), '1 second');
    expect(await secureOrder.complete().catch(refusalOf)).toBe('NotAwaitingAuthentication');
    const resolved = await secureOrder.command('resolveSubmission', {
      service_id: secureOrder.made()[0]?.id,
    });
    expect(resolved).toMatchObject({ status: 'awaiting_authentication', attention: null });
    await secureOrder.complete();
    await secureOrder.until(statusIs('waiting_payment'), '1 second');
    expect(secureOrder.made()).toHaveLength(1);
  });

  test('because its input holds a card is refused and never repeats it', async ({ secureOrder }) => {
    const result = await (await secureOrder.start('', { credit_card: testCard })).result();
    expect(result).toMatchObject({ status: 'rejected', attention: 'invalid_input' });
    expect(JSON.stringify(result)).not.toContain(testCard.number);
  });
});
