import { describe, expect } from 'vitest';
import { attentionIs, meanwhile, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode, testCard } from '../support/requests.js';

describe('a card', () => {
  test('that never came is awaited, and without one in time the order is rejected', async ({ order }) => {
    await order.start('', { card: undefined });
    await order.until(statusIs('awaiting_card'), '1 second');
    const result = await order.result('1 minute', 20);
    expect(result).toMatchObject({ status: 'rejected', attention: null, closed: true });
    expect(order.made()).toHaveLength(0);
  });

  test('goes on being awaited after an empty postback, as a bare client may send it', async ({ orders }) => {
    const order = await orders.start(freshCode(), '', { card: undefined });
    await order.until(statusIs('awaiting_card'), '1 second');
    await order.signal('postbackReceived');
    expect(await order.state()).toMatchObject({ status: 'awaiting_card' });
  });

  test('is refused when none is awaited, or when it is no reference', async ({ order, orders }) => {
    await order.submitted();
    expect(await order.command('provideCard', order.cards.stored()).catch(refusalOf)).toBe('NotAwaitingCard');
    const other = await orders.start(freshCode(), '', { card: undefined });
    await other.until(statusIs('awaiting_card'), '1 second');
    for (const message of [{}, { card_ref: 'x', task_queue: 'elsewhere' }, { number: testCard.number }]) {
      expect(await other.command('provideCard', message).catch(refusalOf)).toBe('InvalidMessage');
    }
  });

  test('is given back after 429, which did nothing, and sent again, as the timeline says', async ({
    order,
  }) => {
    await order.submitted('429');
    expect(order.made()).toMatchObject([{ times_created: 1, times_submitted: 1 }]);
    expect((await order.state()).timeline.map(({ what }) => what)).toContainEqual(
      expect.stringContaining(
        "Nothing was done by the service's answer, will be sent again: The service answered 429.",
      ),
    );
  });

  test('is given back when its token had ended, and sent again with another', async ({
    order,
    orders,
    sandbox,
  }) => {
    await orders.submitted(freshCode());
    sandbox.expireToken();
    await order.submitted();
    expect(order.made()).toMatchObject([{ times_created: 1, times_submitted: 1 }]);
    expect(sandbox.ledger().calls['POST /v1/auth']).toBeGreaterThan(1);
  });
});

describe('a card order of unknown outcome', () => {
  test.for(['accepted-then-dropped', 'truncated', 'html', 'id-absent', '204', '500-after', '409'])(
    'after the answer %s needs attention and is never sent again',
    async (tag, { order }) => {
      await order.unknown(tag);
      expect(await order.after('2 days')).toMatchObject({
        status: 'submission_unknown',
        attention: 'submission_unknown',
        service_id: null,
      });
      expect(order.made().length).toBeLessThan(2);
    },
  );

  test('ends rejected when an operator states that nothing had happened', async ({ order }) => {
    await order.unknown('dropped-before');
    const resolved = await order.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
    expect(resolved).toMatchObject({ status: 'rejected', attention: null });
    expect(await order.result()).toMatchObject({ status: 'rejected', closed: true });
  });

  test('refuses an identifier that can not be read, one of another order, and a resolution with neither or both', async ({
    clock,
    order,
    orders,
  }) => {
    const other = freshCode();
    await orders.submitted(other, 'read-with-partner-code');
    await order.unknown();
    const refused = (message: object) =>
      meanwhile(clock, order.command('resolveSubmission', message).catch(refusalOf));
    expect(await refused({ service_id: '999999999' })).toBe('CouldNotRead');
    expect(await refused({ service_id: orders.idOf(other) })).toBe('InvalidMessage');
    expect(await refused({})).toBe('InvalidMessage');
    expect(await refused({ service_id: order.id(), nothing_happened: true })).toBe('InvalidMessage');
    expect(await order.state()).toMatchObject({ status: 'submission_unknown' });
  });

  test('is found by a postback when the service itself shows that it is this order', async ({ order }) => {
    await order.unknown('accepted-then-dropped+read-with-partner-code');
    await order.postback({ id: order.id(), status: 'paid' });
    const found = await order.until(statusIs('waiting_payment'), '1 second');
    expect(found).toMatchObject({ attention: null, service_id: order.id() });
  });

  test('shows what a postback named as a candidate, no more, when the service does not show whose it is', async ({
    order,
  }) => {
    await order.unknown();
    await order.postback({ id: order.id(), status: 'paid' });
    const state = await order.until(({ candidates }) => candidates.length > 0, '1 second');
    expect(state).toMatchObject({
      status: 'submission_unknown',
      candidates: [order.id()],
      service_id: null,
    });
  });

  test('that a postback names needs an operator when the service shows another value, and does not close', async ({
    order,
  }) => {
    const tags = 'denied-at-once+accepted-then-dropped+read-with-partner-code+read-value-other-always';
    await order.start(tags, { watch_days: 0 });
    await order.until(statusIs('submission_unknown'));
    await order.postback({ id: order.id(), status: 'denied' });
    const found = await order.until(attentionIs('inconsistent_answer'), '1 second');
    expect(found).toMatchObject({ service_id: order.id(), closed: false });
    expect(found.last_read).toMatchObject({ status: 'denied' });
  });

  test('does not follow another order that a postback names', async ({ order, orders }) => {
    const other = freshCode();
    await orders.submitted(other, 'read-with-partner-code');
    await order.unknown();
    await order.postback({ order: { id: orders.idOf(other) } });
    expect(await order.after('1 minute')).toMatchObject({ status: 'submission_unknown', service_id: null });
  });

  test('reads a candidate later when the service can not be read just then', async ({ order }) => {
    await order.unknown('accepted-then-dropped+read-with-partner-code');
    order.service.answers('GET /v1/order/{id}', { effect: 'none', status: 503 }, { times: 5 });
    await order.postback({ id: order.id() });
    await order.until(statusIs('waiting_payment'), '5 minutes');
  });

  test('takes no resolution once its outcome is known', async ({ orders }) => {
    const order = await orders.submitted(freshCode());
    await order.until(({ commands }) => !commands.includes('resolveSubmission'));
    const answer = order.command('resolveSubmission', { nothing_happened: true }).catch(refusalOf);
    expect(await answer).toBe('NotUnknown');
  });
});
