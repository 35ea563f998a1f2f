import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode, testCard } from '../support/requests.js';

describe('a 3D Secure order that goes well', () => {
  test('shows until when it can be completed, and what the service answered', async ({ secureOrders }) => {
    const code = freshCode();
    const order = await secureOrders.opened(code);
    const { authentication, updated_at: at } = await order.state();
    expect(Date.parse(authentication?.until ?? '') - Date.parse(at)).toBe(30 * 60_000);
    expect(authentication?.answer).toMatchObject({ id: secureOrders.made(code)[0]?.id });
  });

  test.for(['completion-status-absent', 'completion-nested', 'completion-204', 'completion-id-integer'])(
    'works with the answer %s as if it were usual',
    async (tag, { secureOrders }) => {
      const code = freshCode();
      const order = await secureOrders.opened(code, tag);
      await secureOrders.complete(order);
      await order.until(statusIs('waiting_payment'));
      expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 1 }]);
    },
  );

  test.for([
    ['429', () => undefined],
    ['the end of its token', (sandbox: { expireToken: () => void }) => sandbox.expireToken()],
  ] as const)('sends the same card again after %s', async ([tag, happens], { sandbox, secureOrders }) => {
    const code = freshCode();
    const order = await secureOrders.opened(code, tag === '429' ? 'completion-429' : '');
    happens(sandbox);
    await secureOrders.complete(order);
    await order.until(statusIs('waiting_payment'), '1 second');
    expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 1 }]);
  });

  test('works when the service answers the creation without a status', async ({ secureOrders }) => {
    const code = freshCode();
    const order = await secureOrders.opened(code, 'status-absent');
    await secureOrders.complete(order);
    await order.until(statusIs('waiting_payment'), '1 second');
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

  test('does not end while no read works: it needs attention', async ({ secureOrders, sandbox, clock }) => {
    const code = freshCode();
    const order = await secureOrders.opened(code);
    await clock.sleep('20 minutes');
    sandbox.fault({
      endpoint: 'GET /v1/order/{id}',
      partner_code: code,
      times: 60,
      fault: { effect: 'none', status: 503 },
    });
    const unread = await order.until(attentionIs('overdue'), '1 minute', 30);
    expect(unread.status).toBe('awaiting_authentication');
    sandbox.clearFaults();
    await order.until(statusIs('expired'), '5 minutes');
  });

  test('ends for a completion that could not be sent, and nothing is charged', async ({ secureOrders }) => {
    const code = freshCode();
    const order = await secureOrders.opened(code, 'completion-429-always');
    await secureOrders.complete(order);
    const expired = await order.until(statusIs('expired'), '1 minute', 60);
    expect(JSON.stringify(expired.timeline)).toContain("By the service's answer nothing was charged by it.");
    expect(secureOrders.made(code)).toMatchObject([{ times_submitted: 0 }]);
  });

  test('is over for an order that is paid after it: it needs attention', async ({
    secureOrders,
    sandbox,
  }) => {
    const code = freshCode();
    const order = await secureOrders.opened(code);
    await order.until(statusIs('expired'), '5 minutes');
    sandbox.setOrderStatus(code, 'paid');
    expect(await order.until(statusIs('paid'), '1 day')).toMatchObject({
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
    secureOrders,
  }) => {
    const code = freshCode();
    const order = await secureOrders.start(code, 'accepted-then-dropped');
    await order.until(statusIs('submission_unknown'), '1 second');
    expect(await secureOrders.complete(order).catch(refusalOf)).toBe('NotAwaitingAuthentication');
    const resolved = await order.command('resolveSubmission', { service_id: secureOrders.made(code)[0]?.id });
    expect(resolved).toMatchObject({ status: 'awaiting_authentication', attention: null });
    await secureOrders.complete(order);
    await order.until(statusIs('waiting_payment'), '1 second');
    expect(secureOrders.made(code)).toHaveLength(1);
  });

  test('because its input holds a card is refused and never repeats it', async ({ secureOrders }) => {
    const code = freshCode();
    const result = await (await secureOrders.start(code, '', { credit_card: testCard })).result();
    expect(result).toMatchObject({ status: 'rejected', attention: 'invalid_input' });
    expect(JSON.stringify(result)).not.toContain(testCard.number);
  });
});
