import { describe, expect } from 'vitest';
import { orderKinds } from '../support/lifecycles/order-kinds.js';
import { attentionIs, statusIs } from '../support/payment.js';
import { ownOrderOf } from '../support/plain/own-payments.js';
import { test as payments } from '../support/plain-payments.js';

/** Reads show whose order it is. */
const named = 'read-with-partner-code-always';

describe.for(orderKinds)('%s that the service refuses', ([, kind]) => {
  const test = payments
    .extend('anyOrder', ({ code, stack }) => ownOrderOf(kind, stack, code))
    /** Starts one that the service makes all the same, or not. */
    .extend('refused', ({ anyOrder }) => async (tags: string, effect: 'done' | 'none' = 'done') => {
      const fault = { effect, status: 422, body: { error: 'value is too high' } };
      anyOrder.service.answers(kind.endpoint, fault);
      await anyOrder.start(tags, { watch_days: 0 });
      await anyOrder.until(statusIs('rejected'), '1 second');
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

  test('and charges all the same is followed when a postback names it', async ({ anyOrder, refused }) => {
    await refused(named);
    await anyOrder.after('5 days');
    anyOrder.service.shows('paid');
    await anyOrder.postback({ id: anyOrder.id(), status: 'paid' });
    const { attention_detail: detail, ...paid } = await anyOrder.until(statusIs('paid'), '1 second');
    const expected = { attention: 'inconsistent_answer', service_id: anyOrder.id(), closed: false };
    expect(paid).toMatchObject(expected);
    expect(detail).toContain('the service holds it after all');
  });

  test('and charges needs an operator when no read shows whose it is', async ({ anyOrder, refused }) => {
    await refused('');
    const service_id = anyOrder.id();
    await anyOrder.postback({ id: service_id, status: 'paid' });
    await anyOrder.until(attentionIs('submission_unknown'), '1 second');
    await anyOrder.command('resolveSubmission', { service_id });
    expect(await anyOrder.state()).toMatchObject({ status: kind.taken, service_id });
  });
});
