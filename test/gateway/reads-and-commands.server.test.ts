import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { card, cardOrder, newCode, pixPayout } from './requests.js';
import { operatorKey, startTestGateway } from './test-gateway.js';
import type { TestGateway } from './test-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const startedPayout = async () => {
  const payout = pixPayout();
  await gateway.call('POST', '/v1/payouts/pix', { body: payout });
  return { path: `/v1/payouts/${payout.partner_code}`, workflowId: `payout-${payout.partner_code}` };
};

const eventsOf = async (workflowId: string) => {
  const { events } = await gateway.server.client.workflow.getHandle(workflowId).fetchHistory();
  return events?.length ?? 0;
};

/** Counts the queries from now on. */
const countQueries = () => {
  const spy = vi.spyOn(gateway.server.client.workflowService, 'queryWorkflow');
  onTestFinished(() => {
    spy.mockRestore();
  });
  return () => spy.mock.calls.length;
};

describe('a read', () => {
  test('shows the state as it is', async () => {
    const { path, workflowId } = await startedPayout();
    await gateway.change(workflowId, { status: 'processing' });
    const answer = await gateway.call('GET', path);
    expect(answer).toMatchObject({ status: 200, body: { workflow_id: workflowId, status: 'processing' } });
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  test('that waits writes nothing to the history', async () => {
    const { path, workflowId } = await startedPayout();
    // Those of its first task.
    await expect.poll(() => eventsOf(workflowId)).toBe(4);
    const queries = countQueries();
    const answer = await gateway.call('GET', `${path}?until=done`, { headers: { prefer: 'wait=2' } });
    expect(answer).toMatchObject({ status: 200, body: { status: 'submitting' } });
    expect(queries()).toBeGreaterThan(1);
    expect(await eventsOf(workflowId)).toBe(4);
  });

  test('answers once the status is one of those it waits for', async () => {
    const { path, workflowId } = await startedPayout();
    const queries = countQueries();
    const waiting = gateway.call('GET', `${path}?until=done,error`, { headers: { prefer: 'wait=25' } });
    await expect.poll(queries).toBeGreaterThan(1);
    await gateway.change(workflowId, { status: 'processing' });
    await gateway.change(workflowId, { status: 'error' });
    expect(await waiting).toMatchObject({ status: 200, body: { status: 'error' } });
  });

  test('goes on waiting after one query that failed', async () => {
    const { path, workflowId } = await startedPayout();
    const queries = countQueries();
    const waiting = gateway.call('GET', `${path}?until=done`, { headers: { prefer: 'wait=25' } });
    await expect.poll(queries).toBe(1);
    vi.mocked(gateway.server.client.workflowService.queryWorkflow).mockRejectedValueOnce(
      Object.assign(new Error('no worker'), { code: 4, details: 'no worker', metadata: {} }),
    );
    await expect.poll(queries).toBeGreaterThan(2);
    await gateway.change(workflowId, { status: 'done' });
    expect(await waiting).toMatchObject({ status: 200, body: { status: 'done' } });
  });

  test('by fifty at once, for whichever status, shares its queries', async () => {
    const { path, workflowId } = await startedPayout();
    const queries = countQueries();
    const wait = (_: unknown, number: number) =>
      gateway.call('GET', `${path}?until=${number % 2 === 0 ? 'done' : 'done,error'}`, {
        headers: { prefer: 'wait=25' },
      });
    const begunAt = performance.now();
    const waiting = Array.from({ length: 50 }, wait);
    // One each at first.
    await expect.poll(queries).toBeGreaterThan(51);
    await gateway.change(workflowId, { status: 'done' });
    const answers = await Promise.all(waiting);
    expect(new Set(answers.map(({ body }) => body.status))).toEqual(new Set(['done']));
    // And then one in a quarter of a second at most.
    expect(queries()).toBeLessThanOrEqual(50 + (performance.now() - begunAt) / 250);
  });

  test('answers after its own time, however long another waits for the same', async () => {
    const { path, workflowId } = await startedPayout();
    const queries = countQueries();
    const long = gateway.call('GET', `${path}?until=done`, { headers: { prefer: 'wait=30' } });
    await expect.poll(queries).toBeGreaterThan(1);
    const short = await gateway.call('GET', `${path}?until=done`, { headers: { prefer: 'wait=1' } });
    expect(short).toMatchObject({ status: 200, body: { status: 'submitting' } });
    await gateway.change(workflowId, { status: 'done' });
    expect((await long).body.status).toBe('done');
  });

  test('of a payment that has ended answers at once', async () => {
    const { path, workflowId } = await startedPayout();
    await gateway.change(workflowId, { status: 'done', end: true });
    await gateway.server.client.workflow.getHandle(workflowId).result();
    const answer = await gateway.call('GET', `${path}?until=error`, { headers: { prefer: 'wait=30' } });
    expect(answer).toMatchObject({ status: 200, body: { status: 'done', closed: true } });
  });
});

describe('a command', () => {
  test('is carried out under the name of the key, whatever the body names', async () => {
    const { path, workflowId } = await startedPayout();
    await gateway.change(workflowId, { status: 'error', attention: 'payout_failed' });
    const body = { corrections: { pix: 'bia@example.com' }, reason: 'wrong key', by: 'somebody else' };
    const answer = await gateway.call('POST', `${path}/retry`, { body, key: operatorKey });
    expect(answer.status).toBe(200);
    expect(answer.body.attempts.map(({ partner_code }) => partner_code)).toHaveLength(2);
    expect(answer.body.timeline.at(-1)).toMatchObject({ what: 'retry', by: 'ana', reason: 'wrong key' });
    expect(gateway.audit).toContainEqual(
      expect.objectContaining({
        ...{ key: 'ana', address: '127.0.0.1', command: 'retryPayout' },
        ...{ workflow_id: workflowId, outcome: 'accepted', payee: 'pix …a@example.com' },
      }),
    );
    expect(gateway.logs()).not.toContain('bia@example.com');
  });

  test('needs a reason, and nothing else but what it is about', async () => {
    const { path, workflowId } = await startedPayout();
    await gateway.change(workflowId, { status: 'error', attention: 'payout_failed' });
    const key = operatorKey;
    for (const command of ['retry', 'abandon', 'resolve', 'acknowledge']) {
      const { body, status } = await gateway.call('POST', `${path}/${command}`, { key });
      expect(status).toBe(400);
      expect(body.errors).toContainEqual(expect.objectContaining({ field: 'reason' }));
    }
    const acknowledged = { attention: 'payout_failed', reason: 'seen' };
    expect((await gateway.call('POST', `${path}/acknowledge`, { key, body: acknowledged })).status).toBe(200);
    const body = { reason: 'paid in cash' };
    expect(await gateway.call('POST', `${path}/abandon`, { key, body })).toMatchObject({
      body: { status: 'abandoned' },
    });
  });

  test('is refused with a body that is no object', async () => {
    const { path } = await startedPayout();
    const answer = await gateway.call('POST', `${path}/acknowledge`, { body: null, key: operatorKey });
    expect(answer.status).toBe(400);
  });

  test('that the payment refuses gets 409 with the reason, in a form for programs and in words', async () => {
    const { path } = await startedPayout();
    const retry = await gateway.call('POST', `${path}/retry`, { body: { reason: 'a test' } });
    expect(retry).toMatchObject({
      status: 409,
      body: { type: 'urn:durable-payments:problem:command-refused', reason: 'NotParked' },
    });
    expect(retry.body.detail).toBe('This payout did not fail.');
    const body = { nothing_happened: true, reason: 'seen' };
    const resolve = await gateway.call('POST', `${path}/resolve`, { body, key: operatorKey });
    expect(resolve).toMatchObject({ status: 409, body: { reason: 'NotUnknown' } });
  });

  test('that the payment has taken and not executed yet gets 202, and where to look', async () => {
    const { path, workflowId } = await startedPayout();
    await gateway.change(workflowId, { status: 'processing' });
    const body = { reason: 'paid in cash' };
    const headers = { prefer: 'wait=1' };
    const abandoned = await gateway.call('POST', `${path}/abandon`, { body, headers, key: operatorKey });
    expect(abandoned).toMatchObject({
      ...{ status: 202, body: { workflow_id: workflowId, command: 'abandonPayout' } },
    });
    expect(abandoned.headers.location).toBe(path);
    expect(gateway.audit).toContainEqual(
      expect.objectContaining({ command: 'abandonPayout', workflow_id: workflowId, outcome: 'taken' }),
    );
    await gateway.change(workflowId, { status: 'error' });
    expect((await gateway.call('GET', path)).body.status).toBe('abandoned');
  });

  test('for a payment that has ended gets 409', async () => {
    const { path, workflowId } = await startedPayout();
    await gateway.change(workflowId, { end: true });
    await gateway.server.client.workflow.getHandle(workflowId).result();
    const answer = await gateway.call('POST', `${path}/retry`, { body: { reason: 'a test' } });
    expect(answer).toMatchObject({ status: 409, body: { reason: 'Closed' } });
  });

  test('with a field that can not be used names it', async () => {
    const { path } = await startedPayout();
    const fieldsOf = async (command: string, body: object) => {
      const answer = await gateway.call('POST', `${path}/${command}`, { body, key: operatorKey });
      return answer.body.errors.map(({ field }) => field);
    };
    expect(await fieldsOf('retry', { attempt: 0, reason: 'why' })).toEqual(['attempt']);
    expect(await fieldsOf('retry', { corrections: { document: '1' }, reason: 'why' })).toEqual([
      'corrections.document',
    ]);
    expect(await fieldsOf('resolve', { reason: 'why' })).toEqual(['service_id']);
  });

  test('names an identifier as text: one of 2^53 and more is exact, and a number is refused', async () => {
    const path = `/v1/orders/${newCode()}/refund`;
    const refund = (service_id: unknown) =>
      gateway.call('POST', path, { body: { service_id }, key: operatorKey });
    expect(await refund(2 ** 53)).toMatchObject({ status: 400, body: { errors: [{ field: 'service_id' }] } });
    expect(await refund('9007199254740993')).toMatchObject({
      body: { workflow_id: 'refund-9007199254740993' },
    });
  });

  test('brings a new card to an order that has lost its own, and keeps none that is not wanted', async () => {
    const order = cardOrder();
    const path = `/v1/orders/${order.order.partner_code}/card`;
    await gateway.call('POST', '/v1/orders/card', { body: order });
    const ticket = await gateway.call('POST', '/v1/cards', { body: card() });
    const early = await gateway.call('POST', path, { body: { card: ticket.body } });
    expect(early).toMatchObject({ status: 409, body: { reason: 'NotAwaitingCard' } });
    await gateway.change(`order-${order.order.partner_code}`, { status: 'awaiting_card' });
    const body = { card: ticket.body, reason: 'customer came back' };
    expect(await gateway.call('POST', path, { body })).toMatchObject({
      status: 200,
      body: { status: 'submitting' },
    });
    expect((await gateway.call('POST', path, { body: {} })).body.errors).toMatchObject([
      { field: 'credit_card' },
    ]);
  });
});

test('lists show payments by status and attention in pages', async () => {
  const codes = [newCode(), newCode(), newCode()];
  // A value that no other file of the shared server pays.
  const value = 150.47;
  const ours = `value_from=${String(value)}&value_to=${String(value)}`;
  for (const code of codes)
    await gateway.call('POST', '/v1/payouts/pix', { body: { ...pixPayout(code), value } });
  const listed = async () => {
    const found: string[] = [];
    let path = `/v1/payouts?status=submitting&limit=2&${ours}`;
    for (;;) {
      const { body } = await gateway.call('GET', path);
      expect(body.payments.length).toBeLessThanOrEqual(2);
      found.push(...body.payments.map(({ partner_code }) => partner_code));
      if (body.next_cursor === null) return found;
      path = `/v1/payouts?status=submitting&limit=2&${ours}&cursor=${body.next_cursor}`;
    }
  };
  await expect.poll(listed).toEqual(expect.arrayContaining(codes));
  const { body } = await gateway.call('GET', `/v1/payouts?limit=1&${ours}`);
  expect(body.payments).toMatchObject([{ kind: 'payout', value, attention: null, closed: false }]);
  expect((await gateway.call('GET', '/v1/payouts?attention=paid_twice')).body).toEqual({
    payments: [],
    next_cursor: null,
  });
  const elsewhere = await gateway.call('GET', `/v1/orders?cursor=${body.next_cursor ?? ''}`);
  expect(elsewhere.body.errors).toMatchObject([{ field: 'cursor' }]);
});
