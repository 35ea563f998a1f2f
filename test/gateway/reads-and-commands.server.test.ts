import { describe, expect, onTestFinished, test } from 'vitest';
import { newCode, pixPayout } from './requests.js';
import { call, operatorKey } from './call.js';
import { gatewayForAllTests, startGatewayOn } from './test-gateway.js';

const gateway = await gatewayForAllTests();

const startedPayout = async () => {
  const payout = pixPayout();
  await gateway.call('POST', '/v1/payouts/pix', { body: payout });
  return { path: `/v1/payouts/${payout.partner_code}`, workflowId: `payout-${payout.partner_code}` };
};

const eventsOf = async (workflowId: string) => {
  const { events } = await gateway.server.client.workflow.getHandle(workflowId).fetchHistory();
  return events?.length ?? 0;
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
    // Its first task is over when it is read.
    await gateway.call('GET', path);
    const before = await eventsOf(workflowId);
    const answer = await gateway.call('GET', `${path}?until=done`, { headers: { prefer: 'wait=1' } });
    expect(answer).toMatchObject({ status: 200, body: { status: 'submitting' } });
    expect(await eventsOf(workflowId)).toBe(before);
  });

  test('answers once the status is one of those it waits for', async () => {
    const { path, workflowId } = await startedPayout();
    const waiting = gateway.call('GET', `${path}?until=done,error`, { headers: { prefer: 'wait=25' } });
    await gateway.change(workflowId, { status: 'processing' });
    await gateway.change(workflowId, { status: 'error' });
    expect(await waiting).toMatchObject({ status: 200, body: { status: 'error' } });
  });

  test('that waits at a gateway that closes answers with the state as it is', async () => {
    const { path } = await startedPayout();
    const { close, requests, url } = await startGatewayOn(gateway.server);
    onTestFinished(close);
    const waiting = call(url, 'GET', path, { headers: { prefer: 'wait=30' } });
    await expect.poll(requests).toBe(1);
    await close();
    expect(await waiting).toMatchObject({ status: 200, body: { status: 'submitting' } });
  });

  test('of a payment that is unknown gets 404, also one that waits, and a command', async () => {
    const prefer = { headers: { prefer: 'wait=5' } };
    expect((await gateway.call('GET', `/v1/payouts/${newCode()}`)).status).toBe(404);
    expect((await gateway.call('GET', `/v1/orders/${newCode()}`, prefer)).status).toBe(404);
    const command = { body: { reason: 'a test' } };
    expect((await gateway.call('POST', `/v1/payouts/${newCode()}/retry`, command)).status).toBe(404);
  });

  test('of a payment that has ended answers at once, and a command gets 409', async () => {
    const { path, workflowId } = await startedPayout();
    await gateway.change(workflowId, { status: 'done', end: true });
    await gateway.server.client.workflow.getHandle(workflowId).result();
    const answer = await gateway.call('GET', `${path}?until=error`, { headers: { prefer: 'wait=30' } });
    expect(answer).toMatchObject({
      status: 200,
      body: { status: 'done', closed: true, closed_as: 'completed' },
    });
    const command = await gateway.call('POST', `${path}/retry`, { body: { reason: 'a test' } });
    expect(command).toMatchObject({ status: 409, body: { reason: 'Closed' } });
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

  test('that the payment refuses gets 409 with the reason, in a form for programs and in words', async () => {
    const { path } = await startedPayout();
    const retry = await gateway.call('POST', `${path}/retry`, { body: { reason: 'a test' } });
    const type = 'urn:durable-payments:problem:command-refused';
    const refused = { type, reason: 'NotParked', detail: 'This payout did not fail.' };
    expect(retry).toMatchObject({ status: 409, body: refused });
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
