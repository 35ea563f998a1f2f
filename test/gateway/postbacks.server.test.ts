import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postbackCapability } from '../../src/contract/postback-capability.js';
import { cardOrder, pan, pixPayout } from './requests.js';
import { operatorKey, postbackKey } from './call.js';
import { startTestGateway } from './test-gateway.js';
import type { TestGateway } from './test-gateway.js';

const oldKey = Buffer.alloc(32, 9);

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ postbackKeys: [postbackKey, oldKey] });
});
afterAll(() => gateway.close());

const pathOf = (workflowId: string, key: Buffer = postbackKey) =>
  `/postbacks/${postbackCapability([key], workflowId)}`;

const post = (path: string, raw: string | Buffer = '{}', contentType = 'application/json') =>
  gateway.call('POST', path, { raw, headers: { 'content-type': contentType }, key: null });

const startedPayout = async () => {
  const payout = pixPayout();
  await gateway.call('POST', '/v1/payouts/pix', { body: payout });
  return { path: `/v1/payouts/${payout.partner_code}`, workflowId: `payout-${payout.partner_code}` };
};

const storyAt = async (path: string) =>
  (await gateway.call('GET', path)).body.timeline.map(({ what }) => what);

const counted = async (outcome: string) => {
  const { text } = await gateway.call('GET', '/metrics', { key: null });
  const line = text.split('\n').find((candidate) => candidate.includes(`outcome="${outcome}"`));
  return Number(line?.split(' ').at(-1) ?? 0);
};

describe('a postback', () => {
  test('is given to its payment before it is answered, whatever its content type', async () => {
    const { path, workflowId } = await startedPayout();
    expect(await post(pathOf(workflowId), 'status=done', 'application/x-www-form-urlencoded')).toMatchObject({
      status: 200,
      text: '{"received":true}',
    });
    expect(await storyAt(path)).toEqual(['postback application/x-www-form-urlencoded status=done']);
  });

  test.each(['text/xml; charset="x', 'nonsense', ''])(
    'of the content type %o is taken',
    async (contentType) => {
      const { path, workflowId } = await startedPayout();
      expect((await post(pathOf(workflowId), 'x', contentType)).status).toBe(200);
      expect(await storyAt(path)).toHaveLength(1);
    },
  );

  test('without a body is taken', async () => {
    const { path, workflowId } = await startedPayout();
    expect((await gateway.call('POST', pathOf(workflowId), { key: null })).status).toBe(200);
    expect(await storyAt(path)).toEqual(['postback untyped ']);
  });

  test('that names an order in the query is given to it with that, and to a payout as it is', async () => {
    const { order } = cardOrder();
    await gateway.call('POST', '/v1/orders/card', { body: { ...cardOrder(), order } });
    const { path, workflowId } = await startedPayout();
    for (const id of [`order-${order.partner_code}`, workflowId])
      expect((await post(`${pathOf(id)}?topic=order&id=77`, '{}')).status).toBe(200);
    const ofOrder = await storyAt(`/v1/orders/${order.partner_code}`);
    expect(ofOrder).toContain('postback application/json topic=order&id=77\n{}');
    expect(await storyAt(path)).toEqual(['postback application/json {}']);
  });

  test('under an older key is taken', async () => {
    const { workflowId } = await startedPayout();
    expect((await post(pathOf(workflowId, oldKey))).status).toBe(200);
  });

  test('that is forged gets 404 and costs no call', async () => {
    const { path, workflowId } = await startedPayout();
    const genuine = pathOf(workflowId);
    const before = await counted('forged');
    for (const forged of [
      pathOf(workflowId, Buffer.alloc(32, 1)),
      genuine.slice(0, -2),
      `${genuine}.x`,
      '/postbacks/x',
      `/postbacks/${'x'.repeat(500)}`,
    ]) {
      expect(await post(forged)).toMatchObject({ status: 404, body: { status: 404 } });
    }
    expect(await counted('forged')).toBe(before + 5);
    expect(await storyAt(path)).toEqual([]);
  });

  test('keeps 4 KiB of its body and no card number', async () => {
    const { path, workflowId } = await startedPayout();
    await post(pathOf(workflowId), `{"number":"${pan}","id":"1234567890123"}${'x'.repeat(60_000)}`);
    const [what = ''] = await storyAt(path);
    expect(what).toContain('{"number":"…","id":"1234567890123"}xxx');
    expect(what.length).toBeLessThan(4_200);
    const split = await startedPayout();
    await post(pathOf(split.workflowId), `${'€'.repeat(2_726)} ${pan} ${'€'.repeat(9_000)}`);
    expect((await storyAt(split.path))[0]).toMatch(/^\D+€ … €+\D*$/);
    expect((await post(pathOf(workflowId), 'x'.repeat(70_000))).status).toBe(413);
  });

  test('reaches its order together with others that name other identifiers', async () => {
    const order = cardOrder();
    const partnerCode = order.order.partner_code;
    await gateway.call('POST', '/v1/orders/card', { body: order });
    const path = pathOf(`order-${partnerCode}`);
    const bodies = ['{"id":1}', '{"id":2}', '{"id":3}'];
    await Promise.all([...bodies, ...bodies].map((body) => post(path, body)));
    const timeline = await storyAt(`/v1/orders/${partnerCode}`);
    for (const body of bodies) expect(timeline).toContain(`postback application/json ${body}`);
  });

  test('for an order goes to its refund too, and to the refund alone when the order has ended', async () => {
    const order = cardOrder();
    const orderId = `order-${order.order.partner_code}`;
    await gateway.call('POST', '/v1/orders/card', { body: order });
    await gateway.server.client.workflow.start('refund', {
      workflowId: `refund-${orderId}`,
      taskQueue: gateway.server.taskQueue,
      args: [{ partner_code: order.order.partner_code, service_id: orderId }],
    });
    await gateway.change(orderId, { service_id: orderId });
    await gateway.change(orderId, { end: true });
    await gateway.server.client.workflow.getHandle(orderId).result();
    expect((await post(pathOf(orderId), 'hello')).status).toBe(200);
    const refund = gateway.server.client.workflow.getHandle(`refund-${orderId}`);
    const { timeline } = await refund.query<{ timeline: { what: string }[] }>('state');
    expect(timeline.map(({ what }) => what)).toContain('postback application/json hello');
  });

  test('for a payment that has ended or never was gets 200 and is counted', async () => {
    const before = await counted('payment_closed');
    expect((await post(pathOf('payout-never-was'))).status).toBe(200);
    expect(await counted('payment_closed')).toBe(before + 1);
  });
});

test('fifty postbacks at once are all answered, and become fewer signals', async () => {
  const { path, workflowId } = await startedPayout();
  const posts = Array.from({ length: 50 }, (_, number) =>
    post(pathOf(workflowId), `number ${String(number)}`),
  );
  for (const { status } of await Promise.all(posts)) expect(status).toBe(200);
  const timeline = await storyAt(path);
  expect(timeline.length).toBeGreaterThan(0);
  expect(timeline.length).toBeLessThan(50);
});

test('the address of a postback never stands in the log', async () => {
  const { workflowId } = await startedPayout();
  await post(pathOf(workflowId), 'secret body');
  const text = gateway.logs();
  expect(text).toContain('/postbacks/:capability');
  expect(text).not.toContain(postbackCapability([postbackKey], workflowId).split('.')[1]);
  expect(text).not.toContain('secret body');
  expect(text).not.toContain(operatorKey);
});
