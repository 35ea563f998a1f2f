import { expect, test } from 'vitest';
import { createActivities, createCardStoreActivities } from '../../activities/index.js';
import { workflowIdOfCapability } from '../../src/contract/postback-capability.js';
import { answers, bodyOf, startRawServer } from '../payments-service/raw-server.js';
import {
  cardOn,
  customer,
  storedCard,
  depsFor,
  firstDispatch,
  orderInput,
  pixInput,
  pixPayout,
  postbackKeys,
  sendOnceInput,
  sendsCard,
  transferInput,
  workflowId,
} from './support.js';

const accepted = answers(201, '{"id":"1","status":"claimed","redirect":"https://pay.example/1"}');

async function setUp() {
  const server = await startRawServer(accepted);
  const deps = depsFor(server.url);
  return { server, cardStore: deps.cardStore, ...createActivities(deps), ...createCardStoreActivities(deps) };
}

test('a pix payout goes out as documented, with a notification_url of this workflow', async () => {
  const { server, createPixPayout } = await setUp();
  await firstDispatch().run(createPixPayout, pixPayout);
  expect(server.requests[0]).toMatch(/^POST \/v1\/payout\/pix /);
  const { notification_url, ...body } = bodyOf(server.requests[0]) as Record<string, unknown>;
  expect(body).toEqual({
    partner_code: 'salary-1',
    first_name: 'Maria',
    last_name: 'Silva',
    document: '52998224725',
    value: 1234.5,
    pix: 'maria@example.com',
  });
  expect(notification_url).toMatch(/^https:\/\/oms\.example\/base\/postbacks\//);
  const capability = String(notification_url).split('/').at(-1) ?? '';
  expect(workflowIdOfCapability(postbackKeys, capability)).toBe(workflowId);
});

test('a pix key goes out in small letters, that of a correction as well', async () => {
  const { server, createPixPayout } = await setUp();
  const payout = { ...pixInput, pix: 'Maria@Example.com' };
  await firstDispatch().run(createPixPayout, { ...pixPayout, payout });
  await firstDispatch().run(createPixPayout, { ...pixPayout, corrections: { pix: 'EVA@example.com' } });
  expect(server.requests.map(bodyOf)).toMatchObject([
    { pix: 'maria@example.com' },
    { pix: 'eva@example.com' },
  ]);
});

test('a further attempt has a partner_code of its own and the corrections laid over', async () => {
  const { server, createTransferPayout } = await setUp();
  await firstDispatch().run(createTransferPayout, {
    ...sendOnceInput,
    payout: transferInput,
    corrections: { account: '999', last_name: 'Souza' },
    attempt: 3,
    decided_at: new Date().toISOString(),
    scan_begun_at: null,
  });
  expect(server.requests[0]).toMatch(/^POST \/v1\/payout\/transfer /);
  expect(bodyOf(server.requests[0])).toMatchObject({
    partner_code: 'salary-2-r3',
    account: '999',
    last_name: 'Souza',
    value: 10,
  });
});

test.each([
  ['the value', { value: 5_000 }],
  ['the partner_code', { partner_code: 'other' }],
  ['a field of the other method', { pix: 'maria@example.com' }],
])('corrections cannot change %s', async (_, corrections) => {
  const { server, createTransferPayout } = await setUp();
  const input = {
    ...pixPayout,
    payout: transferInput,
    corrections: corrections as never,
    attempt: 2,
  };
  const outcome = await firstDispatch().run(createTransferPayout, input);
  expect(outcome).toMatchObject({ outcome: 'invalid_input' });
  expect(server.connections()).toBe(0);
});

test('a card order goes out with the card of the card store, and the card is nowhere in the outcome', async () => {
  const { server, cardStore, createCardOrder } = await setUp();
  const address = { street: 'Rua A', city: 'Recife' };
  const order = { ...orderInput, address, watch_days: 1 };
  const outcome = await firstDispatch().run(createCardOrder, {
    ...sendsCard(cardOn(cardStore)),
    order,
  });
  expect(bodyOf(server.requests[0])).toMatchObject({
    order: {
      partner_code: 'order-1',
      value: 19.9,
      description: 'Shoes',
      installments: 1,
      payment_method: 'credit_card',
      notification_url: expect.stringMatching(/^https:/) as string,
    },
    customer,
    address,
    credit_card: storedCard,
  });
  expect(outcome).toEqual({ outcome: 'answered', service_id: '1', status: 'claimed' });
});

test('a checkout and a 3D Secure order answer what the caller needs to go on', async () => {
  const { server, createCheckout, createThreeDSecureOrder } = await setUp();
  const checkout = {
    ...orderInput,
    order: { ...orderInput.order, redirect_url: 'https://shop.example/thanks' },
  };
  const opened = await firstDispatch().run(createCheckout, { ...sendOnceInput, order: checkout });
  expect(opened).toMatchObject({ service_id: '1', answer: { redirect: 'https://pay.example/1' } });
  expect(bodyOf(server.requests[0])).toMatchObject({
    order: { redirect_url: 'https://shop.example/thanks', payment_method: 'credit_card' },
    customer,
  });
  const started = await firstDispatch().run(createThreeDSecureOrder, { ...sendOnceInput, order: orderInput });
  expect(started).toMatchObject({ service_id: '1', answer: { redirect: 'https://pay.example/1' } });
  expect(server.requests[1]).toMatch(/^POST \/v1\/3ds\/order /);
});

test('a 3D Secure completion carries card and credentials', async () => {
  const { server, cardStore, completeThreeDSecureOrder } = await setUp();
  const input = { ...sendsCard(cardOn(cardStore)), service_id: 'a/b', callback: 'cb-1', eci: '05' };
  await firstDispatch().run(completeThreeDSecureOrder, input);
  expect(server.requests[0]).toMatch(/^PUT \/v1\/3ds\/order\/a%2Fb /);
  expect(bodyOf(server.requests[0])).toEqual({
    credit_card: storedCard,
    credentials: { callback: 'cb-1', eci: '05' },
  });
});

test('a refund and an account validation go out as the document says', async () => {
  const { server, requestRefund, validateAccount } = await setUp();
  await firstDispatch().run(requestRefund, { ...sendOnceInput, service_id: '77' });
  expect(server.requests[0]).toMatch(/^PUT \/v1\/order\/77\/refund /);
  const validation = {
    partner_code: 'check-1',
    first_name: 'Maria',
    last_name: 'Silva',
    document: '52998224725',
    bank_code: '001',
    account: '12345',
  };
  await firstDispatch().run(validateAccount, {
    ...sendOnceInput,
    validation: { ...validation, poll_scale: 1 },
  });
  expect(bodyOf(server.requests[1])).toEqual({
    ...validation,
    notification_url: expect.stringMatching(/^https:/) as string,
  });
});
