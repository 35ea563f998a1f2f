import { describe, expect } from 'vitest';
import { attentionIs, meanwhile, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { freshCode } from '../support/requests.js';

/** Reads show whose order it is. */
const shown = 'accepted-then-dropped+read-with-partner-code';

describe('an order of unknown outcome', () => {
  test.for<[string, (id: string) => unknown, (404 | 503)?]>([
    ['names it', (id) => ({ id, status: 'paid' })],
    ['names it among others', (id) => ({ id: 'evt_1', data: { request_id: 'req_2', order: { id } } })],
    ['names it by a form', (id) => `status=paid&order_id=${id}`],
    ['names it before the service knows it', (id) => ({ id }), 404],
    ['names it while the service can not be read', (id) => ({ id }), 503],
  ])('is found when a postback %s', async ([, body, status], { order }) => {
    await order.unknown(shown);
    if (status !== undefined)
      order.service.answers('GET /v1/order/{id}', { effect: 'none', status }, { times: 2 });
    await order.postback(body(order.id()));
    const found = await order.until(statusIs('waiting_payment'), '5 minutes', 20);
    expect(found).toMatchObject({ service_id: order.id(), attention: null });
  });

  test('that a postback names is asked about again after nothing had happened, though no read shows whose it is', async ({
    order,
  }) => {
    await order.unknown();
    await order.command('resolveSubmission', { nothing_happened: true });
    await order.postback({ id: order.id(), status: 'paid' });
    const asked = await order.until(attentionIs('submission_unknown'), '1 minute', 10);
    expect(asked).toMatchObject({ candidates: [order.id()], closed: false });
    const found = await order.command('resolveSubmission', { service_id: order.id() });
    expect(found).toMatchObject({ service_id: order.id(), attention: null });
  });

  test('that a postback names needs an operator when a read shows another value', async ({ order }) => {
    await order.start(`denied-at-once+read-value-other-always+${shown}`, { watch_days: 0 });
    await order.until(statusIs('submission_unknown'));
    await order.postback({ id: order.id(), status: 'denied' });
    const found = await order.until(attentionIs('inconsistent_answer'), '1 second');
    expect(found).toMatchObject({ service_id: order.id(), closed: false, last_read: { status: 'denied' } });
  });

  test('takes no other order of a postback or an operator', async ({ clock, order, orders }) => {
    const other = freshCode();
    await orders.submitted(other, 'read-with-partner-code');
    await order.unknown();
    await order.postback({ order: { id: orders.idOf(other) } });
    await order.after('1 minute');
    const fitsNot = { id: order.id(), status: 'paid', value: '89,90' };
    order.service.answers('GET /v1/order/{id}', { effect: 'none', status: 200, body: fitsNot });
    expect(await order.refusal('resolveSubmission', { service_id: order.id() })).toBe('InvalidMessage');
    const refusalOf = (found: object) => meanwhile(clock, order.refusal('resolveSubmission', found));
    expect(await refusalOf({ service_id: orders.idOf(other) })).toBe('InvalidMessage');
    expect(await refusalOf({ service_id: '999999999' })).toBe('CouldNotRead');
    expect(await refusalOf({})).toBe('InvalidMessage');
    expect(await refusalOf({ service_id: order.id(), nothing_happened: true })).toBe('InvalidMessage');
    expect(await order.state()).toMatchObject({ status: 'submission_unknown', service_id: null });
  });

  test.for([
    ['nothing that speaks against it', 'accepted-then-dropped'],
    ['the code of this one', shown],
  ] as const)(
    'takes none that another order here owns, though a read shows %s',
    async ([, tags], { order, orders }) => {
      await order.unknown(tags);
      const service_id = order.id();
      const of = freshCode();
      const answer = {
        effect: 'none',
        status: 200,
        body: { id: service_id, status: 'waiting_payment' },
      } as const;
      order.service.answers('POST /v1/order', answer, { of });
      await orders.submitted(of);
      expect(await order.refusal('resolveSubmission', { service_id })).toBe('InvalidMessage');
      expect(await order.state()).toMatchObject({ status: 'submission_unknown', service_id: null });
    },
  );
});

test.for([
  ['of unknown outcome', 'accepted-then-dropped', 'submission_unknown'],
  ['that was refused', '422', 'rejected'],
] as const)(
  'an order %s has a line for a postback that names nothing: it may speak of a charge',
  async ([, tag, status], { order }) => {
    await order.start(tag);
    await order.until(statusIs(status));
    await order.postback('your order is paid');
    const last = (await order.state()).timeline.at(-1)?.what;
    expect(last).toContain('A postback came, and names no order that could be read.');
  },
);
