import { randomUUID } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { cardOrder, pixPayout, transferPayout } from './requests.js';
import { omsKey, operatorKey } from './call.js';
import { gatewayForAllTests } from './test-gateway.js';

const gateway = await gatewayForAllTests();

const describePayment = (workflowId: string) =>
  gateway.server.client.workflow.getHandle(workflowId).describe();

describe('a start', () => {
  test('answers 202 at once with the state, its place and attributes to search by', async () => {
    const payout = pixPayout();
    const answer = await gateway.call('POST', '/v1/payouts/pix', { body: payout });
    expect(answer.status).toBe(202);
    expect(answer.headers.location).toBe(`/v1/payouts/${payout.partner_code}`);
    expect(answer.body).toMatchObject({
      partner_code: payout.partner_code,
      workflow_id: `payout-${payout.partner_code}`,
      service_id: null,
      status: 'submitting',
      attention: null,
      attempts: [{ number: 1, partner_code: payout.partner_code }],
    });
    const description = await describePayment(`payout-${payout.partner_code}`);
    expect(description.searchAttributes).toMatchObject({
      PaymentKind: ['payout'],
      PaymentStatus: ['submitting'],
      PaymentPartnerCode: [payout.partner_code],
      PaymentValue: [150],
    });
    expect(await description.staticSummary()).toBe('Pix payout of R$ 150.00');
  });

  test('waits as long as Prefer requests and answers 201 once the service has answered', async () => {
    const payout = transferPayout();
    const path = '/v1/payouts/transfer';
    await gateway.call('POST', path, { body: payout });
    const waiting = gateway.call('POST', path, { body: payout, headers: { prefer: 'wait=20' } });
    await gateway.change(`payout-${payout.partner_code}`, { status: 'rejected' });
    const answer = await waiting;
    expect(answer).toMatchObject({ status: 200, body: { status: 'rejected' } });
  });

  test('answers 202 when the time that it may wait is over', async () => {
    const headers = { prefer: 'respond-async, wait=1' };
    const answer = await gateway.call('POST', '/v1/payouts/pix', { body: pixPayout(), headers });
    expect(answer).toMatchObject({ status: 202, body: { status: 'submitting' } });
  });

  test('sent 20 times at once makes one payment; a 21st with other contents gets 409, which names the fields alone', async () => {
    const payout = pixPayout();
    const send = (body: object) => gateway.call('POST', '/v1/payouts/pix', { body });
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(payout)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array<number>(19).fill(200), 202]);
    const other = await send({ ...payout, value: 151, first_name: 'Somebody' });
    expect(other).toMatchObject({
      status: 409,
      body: { type: 'urn:durable-payments:problem:conflict', status: 409 },
      headers: { location: `/v1/payouts/${payout.partner_code}` },
    });
    expect(other.body.detail).toContain('differ in first_name, value.');
    expect(other.body.detail).not.toContain('Somebody');
    const transfer = transferPayout(payout.partner_code);
    expect((await gateway.call('POST', '/v1/payouts/transfer', { body: transfer })).status).toBe(409);
  });

  test('of a kind that owns the id already under another type gets 409', async () => {
    const order = cardOrder();
    await gateway.server.client.workflow.start('refund', {
      workflowId: `order-${order.order.partner_code}`,
      taskQueue: gateway.server.taskQueue,
      args: [{ partner_code: order.order.partner_code, service_id: 'ord_1' }],
    });
    const answer = await gateway.call('POST', '/v1/orders/card', { body: order, key: operatorKey });
    expect(answer.status).toBe(409);
    expect(answer.body.detail).toContain('another kind');
  });

  test('finds its payment after that was continued as new and after it ended', async () => {
    const payout = pixPayout();
    const workflowId = `payout-${payout.partner_code}`;
    const send = (body: object) => gateway.call('POST', '/v1/payouts/pix', { body });
    await send(payout);
    const { runId: firstRunId } = await describePayment(workflowId);
    await gateway.change(workflowId, { continue: true });
    await expect.poll(async () => (await describePayment(workflowId)).runId).not.toBe(firstRunId);
    expect((await send(payout)).status).toBe(200);
    await gateway.change(workflowId, { end: true });
    await gateway.server.client.workflow.getHandle(workflowId).result();
    expect(await send(payout)).toMatchObject({ status: 200, body: { closed: true } });
    expect((await send({ ...payout, pix: 'bia@example.com' })).status).toBe(409);
  });
});

describe('a card order', () => {
  const timelineOf = async (code: string) =>
    (await gateway.call('GET', `/v1/orders/${code}`)).body.timeline.map(({ what }) => what);

  const storedNumber = (timeline: string | undefined) => {
    const lease = gateway.cardStore.lease(timeline?.replace('card ', '') ?? '');
    const number = lease?.card.number;
    lease?.burn();
    return number;
  };

  test('puts its card into the card store and only the reference into the workflow', async () => {
    const order = cardOrder();
    const answer = await gateway.call('POST', '/v1/orders/card', { body: order });
    expect(answer).toMatchObject({
      status: 202,
      headers: { location: `/v1/orders/${order.order.partner_code}` },
    });
    const [timeline] = await timelineOf(order.order.partner_code);
    expect(storedNumber(timeline)).toBe(order.credit_card.number);
  });

  test('takes a card that waits at the card store', async () => {
    const { credit_card, ...order } = cardOrder();
    const ticket = await gateway.call('POST', '/v1/cards', { body: credit_card });
    expect(ticket.status).toBe(201);
    const answer = await gateway.call('POST', '/v1/orders/card', { body: { ...order, card: ticket.body } });
    expect(answer.status).toBe(202);
    expect(await timelineOf(order.order.partner_code)).toEqual([`card ${ticket.body.card_ref}`]);
  });

  test('sent again keeps no second card, and gives one to an order that has lost its own', async () => {
    const order = cardOrder();
    const workflowId = `order-${order.order.partner_code}`;
    const send = () => gateway.call('POST', '/v1/orders/card', { body: order });
    await send();
    expect(await send()).toMatchObject({ status: 200, body: { status: 'submitting' } });
    expect(await timelineOf(order.order.partner_code)).toHaveLength(1);
    await gateway.change(workflowId, { status: 'awaiting_card', attention: 'awaiting_card' });
    expect(await send()).toMatchObject({ status: 200, body: { status: 'submitting' } });
    const [, second] = await timelineOf(order.order.partner_code);
    expect(storedNumber(second)).toBe(order.credit_card.number);
  });
});

test('a payment started by another SDK without encryption is found by the same request, and for operators alone', async () => {
  const payout = pixPayout();
  const workflowId = `payout-${payout.partner_code}`;
  const { connection, namespace, taskQueue } = gateway.server;
  await connection.workflowService.startWorkflowExecution({
    ...{ namespace, workflowId, requestId: randomUUID() },
    ...{ workflowType: { name: 'payout' }, taskQueue: { name: taskQueue } },
    input: { payloads: [defaultPayloadConverter.toPayload({ ...payout, method: 'pix' })] },
  });
  const send = (body: object, key: string) => gateway.call('POST', '/v1/payouts/pix', { body, key });
  expect((await send(payout, operatorKey)).status).toBe(200);
  expect((await send({ ...payout, value: 1 }, operatorKey)).status).toBe(409);
  const path = `/v1/payouts/${payout.partner_code}`;
  const read = await gateway.call('GET', path, { key: operatorKey });
  expect(read).toMatchObject({ status: 200, body: { started_by: null } });
  const taken = await send(payout, omsKey);
  expect(taken.status).toBe(409);
  expect(taken.headers.location).toBeUndefined();
  expect((await gateway.call('GET', path)).status).toBe(404);
});
