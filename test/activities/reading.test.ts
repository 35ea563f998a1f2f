import { expect, test } from 'vitest';
import { createReadingActivities, createTokenActivities } from '../../activities/index.js';
import { readOrder } from '../../activities/read-order.js';
import { readPayout } from '../../activities/read-payout.js';
import { readThreeDSecureToken } from '../../activities/read-three-d-secure-token.js';
import { unsealToken } from '../../src/payments-service/token-seal.js';
import { answers, type Behaviour } from '../payments-service/raw-server.js';
import {
  depsFor,
  dispatched,
  failureOf,
  firstDispatch,
  orderInput,
  runId,
  type TestDeps,
} from './support.js';

const toRead = { service_id: '5', original_execution_run_id: runId };

/** What the reads of an order and of a payout show of this record. */
async function readBoth(record: object, more: object = {}) {
  const given = { service: answers(200, JSON.stringify(record)) };
  const input = { ...toRead, ...more };
  const [order, payout] = [
    await dispatched(readOrder, input, given),
    await dispatched(readPayout, input, given),
  ];
  return [order.outcome, payout.outcome];
}

test('an order and a payout are read in the words of the contract, with the time at which the workflow asked', async () => {
  const claimed_at = '2026-01-01T00:00:00Z';
  const order = { service_id: '5', status: 'paid', partner_code: 'order-1', value_centavos: 1990 };
  expect(await readBoth({ id: 5, status: 'PAID', value: 19.9, partner_code: 'order-1', claimed_at })).toEqual(
    [order, { ...order, claimed_at }],
  );
});

test('another identifier than the one that was read by is shown without a card number', async () => {
  const service_id = '5555555555554444';
  const record = { id: service_id, status: 'done' };
  expect(await readBoth(record)).toMatchObject([{ service_id: '…' }, { service_id: '…' }]);
  expect(await readBoth(record, { service_id })).toMatchObject([{ service_id }, { service_id }]);
});

test('a read shows when its run came about by a reset: attempts may exist of which that knows nothing', async () => {
  const read = await readBoth({ id: '5', status: 'done' }, { original_execution_run_id: 'before' });
  expect(read).toMatchObject([{ reset_run_id: runId }, { reset_run_id: runId }]);
});

const secret = 'secret words';

test.for<[string, Behaviour, string]>([
  ['404', answers(404, secret), 'NotFound'],
  ['422', answers(422, secret), 'Refused'],
  ['401', answers(401, secret), 'Unauthorized'],
  ['429', answers(429, secret), 'Throttled'],
  ['500', answers(500, secret), 'Unreadable'],
  ['a page', answers(200, `<p>${secret}</p>`), 'Unreadable'],
  ['an empty answer', answers(200), 'Unreadable'],
  ['204', answers(204), 'Unreadable'],
  ['a reset', (socket) => socket.destroy(), 'Unreadable'],
])('a read that meets %s fails retryably, without the words of the service', async ([, service, type]) => {
  const failure = await failureOf(dispatched(readPayout, toRead, { service }));
  expect(failure).toMatchObject({ type, nonRetryable: false });
  expect(failure.message).toMatch(/^GET \/v1\/payout\/\{id\}: /);
  expect(failure.message).not.toContain(secret);
  expect(failure.cause).toBeUndefined();
});

test('a read waits as long as Retry-After requests', async () => {
  const service = answers(429, '', { 'retry-after': '12' });
  const failure = await failureOf(dispatched(readOrder, toRead, { service }));
  expect(failure.nextRetryDelay).toBe(12_000);
});

test('a read that meets a rejected token reports it, so that the next one has a newer', async () => {
  const rejected: number[][] = [];
  const worker = ({ tokens }: TestDeps) => rejected.push(tokens.rejected);
  await failureOf(dispatched(readOrder, toRead, { service: answers(403), worker }));
  expect(rejected).toEqual([[1]]);
});

test('a read without a token fails with that reason', async () => {
  const worker = ({ tokens }: TestDeps) => (tokens.missing = true);
  const failure = await failureOf(dispatched(readOrder, toRead, { worker }));
  expect(failure).toMatchObject({ type: 'NoToken', nonRetryable: false });
  expect(failure.message).not.toContain('secret');
});

test('the browser token of 3D Secure is read', async () => {
  const service = answers(200, '{"token":"browser-1"}');
  const { outcome } = await dispatched(readThreeDSecureToken, undefined, { service });
  expect(outcome).toEqual({ token: 'browser-1' });
});

/** Asks for the token of this generation. */
const authenticated = (generation: number, service: Behaviour) =>
  dispatched(
    (deps) => createTokenActivities({ ...deps, clientSecret: 's' }).authenticate,
    { generation },
    { service },
  );

test('a token is issued sealed, with its life', async () => {
  const issued = answers(200, '{"token":"service-token","expire_minutes":30}');
  const { outcome: sealed } = await authenticated(4, issued);
  expect(JSON.stringify(sealed)).not.toContain('service-token');
  expect(unsealToken('s', sealed)).toBe('service-token');
  expect(sealed.generation).toBe(4);
  expect(Date.parse(sealed.expires_at) - Date.parse(sealed.issued_at)).toBe(30 * 60_000);
});

test('a token that is refused fails retryably, without the words of the service', async () => {
  const failure = await failureOf(authenticated(1, answers(401, secret)));
  expect(failure).toMatchObject({ type: 'Unauthorized', nonRetryable: false });
  expect(failure.message).not.toContain(secret);
});

test.for([
  [orderInput, []],
  [{ ...orderInput, credit_card: { number: '4111111111111111' } }, ['credit_card']],
] as const)('the input of a card order is checked', async ([input, fields]) => {
  const { checkInput } = createReadingActivities(depsFor('http://127.0.0.1:9'));
  const { problems } = await firstDispatch().run(checkInput, { input });
  expect(problems.map(({ field }) => field)).toEqual(fields);
});
