import { ApplicationFailure } from '@temporalio/activity';
import { expect, test } from 'vitest';
import { createActivities, createTokenActivities } from '../../activities/index.js';
import { unsealToken } from '../../src/payments-service/token-seal.js';
import { answers, startRawServer, type Behaviour } from '../payments-service/raw-server.js';
import { serviceAt } from '../payments-service/support.js';
import { depsFor, firstDispatch, orderInput, pixInput, runId } from './support.js';

async function failureOf(promise: Promise<unknown>): Promise<ApplicationFailure> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApplicationFailure)) throw new Error('No ApplicationFailure was thrown.');
  return error;
}

const asked_at = 1_800_000_000_000;
const toRead = { service_id: '5', original_execution_run_id: runId, asked_at };

test('an order and a payout are read in the words of the contract, with the time at which the workflow asked', async () => {
  const body = {
    id: 5,
    status: 'PAID',
    value: 19.9,
    partner_code: 'order-1',
    claimed_at: '2026-01-01T00:00:00Z',
  };
  const server = await startRawServer(answers(200, JSON.stringify(body)));
  const { readOrder, readPayout } = createActivities(depsFor(server.url));
  const order = { service_id: '5', status: 'paid', partner_code: 'order-1', value_centavos: 1990, asked_at };
  expect(await firstDispatch().run(readOrder, toRead)).toEqual(order);
  expect(await firstDispatch().run(readPayout, toRead)).toEqual({
    ...order,
    claimed_at: '2026-01-01T00:00:00Z',
  });
});

test('another identifier than the one that was read by is shown without a card number', async () => {
  const server = await startRawServer(
    answers(200, JSON.stringify({ id: '5555555555554444', status: 'done' })),
  );
  const { readOrder, readPayout } = createActivities(depsFor(server.url));
  for (const read of [readOrder, readPayout]) {
    const shown = await firstDispatch().run(read, toRead);
    expect(shown.service_id).toBe('…');
    const own = { ...toRead, service_id: '5555555555554444' };
    expect((await firstDispatch().run(read, own)).service_id).toBe('5555555555554444');
  }
});

test('a read shows when its run came about by a reset: attempts may exist of which that knows nothing', async () => {
  const server = await startRawServer(answers(200, JSON.stringify({ id: '5', status: 'done' })));
  const { readOrder, readPayout } = createActivities(depsFor(server.url));
  for (const read of [readOrder, readPayout]) {
    const target = { ...toRead, original_execution_run_id: 'before' };
    expect((await firstDispatch().run(read, target)).reset_run_id).toBe(runId);
  }
});

test.each<[string, Behaviour, string]>([
  ['404', answers(404, 'secret words'), 'NotFound'],
  ['422', answers(422, 'secret words'), 'Refused'],
  ['401', answers(401, 'secret words'), 'Unauthorized'],
  ['429', answers(429, 'secret words'), 'Throttled'],
  ['500', answers(500, 'secret words'), 'Unreadable'],
  ['a page', answers(200, '<p>secret words</p>'), 'Unreadable'],
  ['an empty answer', answers(200), 'Unreadable'],
  ['204', answers(204), 'Unreadable'],
  ['a reset', (socket) => socket.destroy(), 'Unreadable'],
])('a read that meets %s fails retryably, without the words of the service', async (_, behave, type) => {
  const server = await startRawServer(behave);
  const { readPayout } = createActivities(depsFor(server.url));
  const failure = await failureOf(firstDispatch().run(readPayout, toRead));
  expect(failure).toMatchObject({ type, nonRetryable: false, details: [{ asked_at }] });
  expect(failure.message).toMatch(/^GET \/v1\/payout\/\{id\}: /);
  expect(failure.message).not.toContain('secret words');
  expect(failure.cause).toBeUndefined();
});

test('a read waits as long as Retry-After requests', async () => {
  const server = await startRawServer(answers(429, '', { 'retry-after': '12' }));
  const { readOrder } = createActivities(depsFor(server.url));
  const failure = await failureOf(firstDispatch().run(readOrder, toRead));
  expect(failure.nextRetryDelay).toBe(12_000);
});

test('a read that meets a rejected token reports it, so that the next one has a newer', async () => {
  const server = await startRawServer(answers(403));
  const deps = depsFor(server.url);
  await failureOf(firstDispatch().run(createActivities(deps).readOrder, toRead));
  expect(deps.tokens.rejected).toEqual([1]);
});

test('a read without a token fails with that reason', async () => {
  const deps = depsFor('http://127.0.0.1:9');
  deps.tokens.missing = true;
  const failure = await failureOf(firstDispatch().run(createActivities(deps).readOrder, toRead));
  expect(failure).toMatchObject({ type: 'NoToken', nonRetryable: false });
  expect(failure.message).not.toContain('secret');
});

test('the browser token of 3D Secure is read', async () => {
  const server = await startRawServer(answers(200, '{"token":"browser-1"}'));
  const { readThreeDSecureToken } = createActivities(depsFor(server.url));
  expect(await firstDispatch().run(readThreeDSecureToken)).toEqual({ token: 'browser-1' });
});

test('a token is issued sealed, with its life', async () => {
  const server = await startRawServer(answers(200, '{"token":"service-token","expire_minutes":30}'));
  const { authenticate } = createTokenActivities({
    ...{ service: serviceAt(server.url), clientSecret: 's', now: () => Date.now() },
  });
  const sealed = await firstDispatch().run(authenticate, { generation: 4 });
  expect(JSON.stringify(sealed)).not.toContain('service-token');
  expect(unsealToken('s', sealed)).toBe('service-token');
  expect(sealed.generation).toBe(4);
  expect(Date.parse(sealed.expires_at) - Date.parse(sealed.issued_at)).toBe(30 * 60_000);
});

test('a token that is refused fails retryably, without the words of the service', async () => {
  const server = await startRawServer(answers(401, 'secret words'));
  const { authenticate } = createTokenActivities({
    ...{ service: serviceAt(server.url), clientSecret: 's', now: () => Date.now() },
  });
  const failure = await failureOf(firstDispatch().run(authenticate, { generation: 1 }));
  expect(failure).toMatchObject({ type: 'Unauthorized', nonRetryable: false });
  expect(failure.message).not.toContain('secret words');
});

test.each([
  ['payout', pixInput, []],
  ['payout', { ...pixInput, value: 0 }, ['value']],
  ['cardOrder', orderInput, []],
  ['cardOrder', { ...orderInput, credit_card: { number: '4111111111111111' } }, ['credit_card']],
  ['hostedCheckout', orderInput, ['order.redirect_url']],
  ['threeDSecureOrder', orderInput, []],
  ['refund', { partner_code: 'order-1', service_id: '5', reason: 'returned' }, []],
  ['refund', { partner_code: 'order-1' }, ['service_id']],
  ['accountValidation', { partner_code: 'v-1' }, ['first_name', 'document', 'bank_code', 'account']],
] as const)('the input of %s is checked', async (workflow_type, input, fields) => {
  const { checkInput } = createActivities(depsFor('http://127.0.0.1:9'));
  const { problems } = await firstDispatch().run(checkInput, { workflow_type, input });
  expect(problems.map(({ field }) => field)).toEqual(fields);
});

test('a refund of another value than that of its order is refused, in whichever capitals the order is named', async () => {
  const serviceId = '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f';
  const orderOf = () => Promise.resolve({ serviceId, value: 19.9 });
  const { checkInput } = createActivities({ ...depsFor('http://127.0.0.1:9'), orderOf });
  const input = { partner_code: 'order-1', service_id: serviceId.toUpperCase(), value: 5 };
  const { problems } = await firstDispatch().run(checkInput, { workflow_type: 'refund', input });
  expect(problems).toMatchObject([{ field: 'value' }]);
});
