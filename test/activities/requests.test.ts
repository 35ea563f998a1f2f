import { expect, test } from 'vitest';
import { completeThreeDSecureOrder } from '../../activities/complete-three-d-secure-order.js';
import { createCardOrder } from '../../activities/create-card-order.js';
import { createCheckout } from '../../activities/create-checkout.js';
import { createPixPayout } from '../../activities/create-pix-payout.js';
import { createThreeDSecureOrder } from '../../activities/create-three-d-secure-order.js';
import { createTransferPayout } from '../../activities/create-transfer-payout.js';
import { validateAccount } from '../../activities/validate-account.js';
import { workflowIdOfCapability } from '../../src/contract/postback-capability.js';
import { answers, bodyOf } from '../payments-service/raw-server.js';
import { testCard } from '../support/requests.js';
import {
  cardOn,
  checkoutInput,
  dispatched,
  orderInput,
  pixInput,
  pixPayout,
  postbackKeys,
  sendOnceInput,
  sendsCard,
  transferPayout,
  validationInput,
  workflowId,
  type TestDeps,
} from './support.js';

const service = answers(201, '{"id":"1","status":"claimed","redirect":"https://pay.example/1"}');

/** What the activity sends, and its outcome. */
async function sentBy<Input, Outcome>(
  activityOf: (deps: TestDeps) => (input: Input) => Promise<Outcome>,
  input: Input | ((deps: TestDeps) => Input),
) {
  const { outcome, server } = await dispatched(activityOf, input, { service });
  const [request = ''] = server.requests;
  const hasBody = request.includes('content-type: application/json');
  return { line: request.split(' HTTP')[0], body: hasBody ? bodyOf(request) : undefined, outcome };
}

const notification_url = expect.stringMatching(/^https:/) as string;
const withCard = ({ cardStore }: TestDeps) => sendsCard(cardOn(cardStore));
const answered = { outcome: 'answered', service_id: '1', status: 'claimed' };
const withAnswer = { ...answered, answer: { redirect: 'https://pay.example/1' } };

test('a pix payout goes out as documented, with a notification_url of this workflow', async () => {
  const { body, line } = await sentBy(createPixPayout, pixPayout);
  expect(line).toBe('POST /v1/payout/pix');
  const { method: _, watch_days: _days, poll_scale: _scale, ...documented } = pixInput;
  expect(body).toEqual({ ...documented, notification_url });
  const { notification_url: url } = body as { notification_url: string };
  expect(url).toMatch(/^https:\/\/oms\.example\/base\/postbacks\//);
  expect(workflowIdOfCapability(postbackKeys, url.split('/').at(-1) ?? '')).toBe(workflowId);
});

test('a pix key goes out in small letters, that of a correction as well', async () => {
  const payout = { ...pixInput, pix: 'Maria@Example.com' };
  const corrections = { pix: 'EVA@example.com' };
  const sent = await sentBy(createPixPayout, { ...pixPayout, payout });
  const corrected = await sentBy(createPixPayout, { ...pixPayout, corrections });
  expect([sent.body, corrected.body]).toMatchObject([
    { pix: 'maria@example.com' },
    { pix: 'eva@example.com' },
  ]);
});

test('a further attempt has a partner_code of its own and the corrections laid over', async () => {
  const corrections = { account: '999', last_name: 'Souza' };
  const { body, line } = await sentBy(createTransferPayout, { ...transferPayout, attempt: 3, corrections });
  expect(line).toBe('POST /v1/payout/transfer');
  expect(body).toMatchObject({ partner_code: 'salary-2-r3', ...corrections, value: 10 });
});

test.each([
  ['the value', { value: 5_000 }],
  ['the partner_code', { partner_code: 'other' }],
  ['a field of the other method', { pix: 'maria@example.com' }],
])('corrections cannot change %s', async (_, corrections) => {
  const input = { ...transferPayout, corrections: corrections as never, attempt: 2 };
  const { line, outcome } = await sentBy(createTransferPayout, input);
  expect([line, outcome.outcome]).toEqual(['', 'invalid_input']);
});

test('a card order goes out with the card of the card store, and the card is nowhere in the outcome', async () => {
  const address = { street: 'Rua A', city: 'Recife' };
  const order = { ...orderInput, address, watch_days: 1 };
  const { body, outcome } = await sentBy(createCardOrder, (deps) => ({ ...withCard(deps), order }));
  const sent = { ...orderInput.order, installments: 1, payment_method: 'credit_card', notification_url };
  expect(body).toMatchObject({ order: sent, customer: orderInput.customer, address, credit_card: testCard });
  expect(outcome).toEqual(answered);
});

test('a checkout and a 3D Secure order answer what the caller needs to go on', async () => {
  const checkout = await sentBy(createCheckout, { ...sendOnceInput, order: checkoutInput });
  expect(checkout.outcome).toMatchObject(withAnswer);
  expect(checkout.body).toMatchObject({
    order: { redirect_url: 'https://shop.example/thanks', payment_method: 'credit_card' },
    customer: orderInput.customer,
  });
  const order = await sentBy(createThreeDSecureOrder, { ...sendOnceInput, order: orderInput });
  expect(order).toMatchObject({ line: 'POST /v1/3ds/order', outcome: withAnswer });
});

test('a 3D Secure completion carries card and credentials', async () => {
  const credentials = { callback: 'cb-1', eci: '05' };
  const { body, line } = await sentBy(completeThreeDSecureOrder, (deps) => ({
    ...{ ...withCard(deps), service_id: 'a/b', ...credentials },
  }));
  expect(line).toBe('PUT /v1/3ds/order/a%2Fb');
  expect(body).toEqual({ credit_card: testCard, credentials });
});

test('an account validation goes out as the document says', async () => {
  const validation = { ...validationInput, poll_scale: 1 };
  const { body } = await sentBy(validateAccount, { ...sendOnceInput, validation });
  expect(body).toEqual({ ...validationInput, notification_url });
});
