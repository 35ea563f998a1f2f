import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPixPayout } from '../../activities/create-pix-payout.js';
import { answers, startRawServer } from '../payments-service/raw-server.js';
import { depsFor, firstDispatch, pixInput, pixPayout, runId, workflowId } from './support.js';

const accepted = answers(201, '{"id":4711,"status":"Claimed"}');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

test('the first dispatch sends once and answers id and status', async () => {
  const server = await startRawServer(accepted);
  const outcome = await firstDispatch().run(createPixPayout(depsFor(server.url)), pixPayout);
  expect(outcome).toEqual({ outcome: 'answered', service_id: '4711', status: 'claimed' });
  expect(server.requests).toHaveLength(1);
});

const later = Date.now() + 1_000;

test.each([
  ['a second attempt', { attempt: 2 }],
  ['an activity that was reset', { currentAttemptScheduledTimestampMs: later }],
  ['a run that is a reset', { workflowExecution: { workflowId, runId: 'another-run' } }],
])('%s sends nothing, for the previous one may have', async (_, info) => {
  const server = await startRawServer(accepted);
  const outcome = await firstDispatch(info).run(createPixPayout(depsFor(server.url)), pixPayout);
  expect(outcome).toMatchObject({
    outcome: 'unknown',
    reason: expect.stringContaining('may have sent') as string,
  });
  expect(server.connections()).toBe(0);
});

test.each([
  ['what the service had answered', { outcome: 'answered', service_id: '4711', status: 'claimed' }],
  ['an identifier alone', { outcome: 'answered', service_id: '4711', status: null }],
])(
  'a second attempt answers %s the first one, which had heartbeated it, and sends nothing',
  async (_, detail) => {
    const server = await startRawServer(accepted);
    const dispatch = firstDispatch({ attempt: 2, heartbeatDetails: detail });
    expect(await dispatch.run(createPixPayout(depsFor(server.url)), pixPayout)).toEqual(detail);
    expect(server.connections()).toBe(0);
  },
);

test.each([
  ['no identifier', { outcome: 'answered', service_id: null, status: 'claimed' }],
  ['another outcome', { outcome: 'not_sent', reason: '' }],
  ['nothing', undefined],
])(
  'a second attempt that finds %s heartbeated knows nothing, and sends nothing',
  async (_, heartbeatDetails) => {
    const server = await startRawServer(accepted);
    const dispatch = firstDispatch({ attempt: 2, heartbeatDetails });
    expect(await dispatch.run(createPixPayout(depsFor(server.url)), pixPayout)).toMatchObject({
      outcome: 'unknown',
    });
    expect(server.connections()).toBe(0);
  },
);

test('a run after continue-as-new sends, for it has the original run as its own', async () => {
  const server = await startRawServer(accepted);
  const input = { ...pixPayout, original_execution_run_id: runId };
  const outcome = await firstDispatch().run(createPixPayout(depsFor(server.url)), input);
  expect(outcome).toMatchObject({ outcome: 'answered' });
});

test.each([
  ['was used before', 'found', { outcome: 'invalid_input' }],
  ['can not be looked up', 'unknown', { outcome: 'not_sent' }],
] as const)('a payment whose workflow id %s sends nothing', async (_, found, outcome) => {
  const server = await startRawServer(accepted);
  const deps = { ...depsFor(server.url), earlierRun: () => Promise.resolve(found) };
  const input = { ...pixPayout, rule_out_runs_before: 'first-run' };
  expect(await firstDispatch().run(createPixPayout(deps), input)).toMatchObject(outcome);
  expect(server.connections()).toBe(0);
});

test('a program that fails while it sends does not know what has happened', async () => {
  const deps = depsFor('http://127.0.0.1:9');
  deps.service.createPixPayout = () => Promise.reject(new Error('secret cause'));
  const outcome = await firstDispatch().run(createPixPayout(deps), pixPayout);
  expect(outcome).toEqual({
    outcome: 'unknown',
    reason: 'The program failed while the request was under way.',
  });
});

test('a task that waited too long for a worker sends nothing', async () => {
  const server = await startRawServer(accepted);
  const longAgo = Date.now() - 35_001;
  const late = { scheduledTimestampMs: longAgo, currentAttemptScheduledTimestampMs: longAgo };
  const outcome = await firstDispatch(late).run(createPixPayout(depsFor(server.url)), pixPayout);
  expect(outcome).toMatchObject({ outcome: 'not_sent' });
  expect(server.connections()).toBe(0);
});

test.each([
  ['an hour ahead', 3_600_000],
  ['an hour behind', -3_600_000],
])('a worker whose own clock is %s sends as any other', async (_, aheadMs) => {
  const server = await startRawServer(accepted);
  const deps = { ...depsFor(server.url), now: () => Date.now() - aheadMs };
  const decided = deps.now();
  const scheduled = { scheduledTimestampMs: decided, currentAttemptScheduledTimestampMs: decided };
  const input = { ...pixPayout, decided_at: new Date(decided).toISOString() };
  const outcome = await firstDispatch(scheduled).run(createPixPayout(deps), input);
  expect(outcome).toMatchObject({ outcome: 'answered' });
});

test('a payout is sent late by no worker whose own clock is behind', async () => {
  const server = await startRawServer(accepted);
  const deps = { ...depsFor(server.url), now: () => Date.now() + 35_001 };
  const outcome = await firstDispatch().run(createPixPayout(deps), pixPayout);
  expect(outcome).toMatchObject({ outcome: 'not_sent' });
  expect(server.connections()).toBe(0);
});

test('a worker that freezes before it sends does not send late', async () => {
  const server = await startRawServer(accepted);
  const deps = depsFor(server.url);
  deps.tokens.onCurrent = () => vi.setSystemTime(Date.now() + 35_001);
  const outcome = await firstDispatch().run(createPixPayout(deps), pixPayout);
  expect(outcome).toMatchObject({ outcome: 'not_sent' });
  expect(server.connections()).toBe(0);
});

test('a request that waits for its connection is asked once more whether it may still be sent', async () => {
  const deps = depsFor('http://127.0.0.1:9');
  deps.service.createPixPayout = (_request, { refusal }) => {
    vi.advanceTimersByTime(35_001);
    return Promise.resolve({
      outcome: 'not_sent',
      httpStatus: null,
      reason: refusal() ?? 'it may be sent',
    });
  };
  const outcome = await firstDispatch().run(createPixPayout(deps), pixPayout);
  expect(outcome).toMatchObject({ reason: expect.stringContaining('time for sending was over') as string });
});

test('a worker that is slow while its clock is set back does not send late', async () => {
  const server = await startRawServer(accepted);
  const deps = depsFor(server.url);
  deps.tokens.onCurrent = () => {
    vi.advanceTimersByTime(35_001);
    vi.setSystemTime(Date.now() - 3_600_000);
  };
  const outcome = await firstDispatch().run(createPixPayout(deps), pixPayout);
  expect(outcome).toMatchObject({ outcome: 'not_sent' });
  expect(server.connections()).toBe(0);
});

test('a cancelled activity sends nothing', async () => {
  const server = await startRawServer(accepted);
  const deps = depsFor(server.url);
  const environment = firstDispatch();
  deps.tokens.onCurrent = () => {
    environment.cancel();
  };
  const outcome = await environment.run(createPixPayout(deps), pixPayout);
  expect(outcome).toMatchObject({
    outcome: 'not_sent',
    reason: expect.stringContaining('cancelled') as string,
  });
  expect(server.connections()).toBe(0);
});

test('without a token nothing is sent, and the cause is not shown', async () => {
  const server = await startRawServer(accepted);
  const deps = depsFor(server.url);
  deps.tokens.missing = true;
  const outcome = await firstDispatch().run(createPixPayout(deps), pixPayout);
  expect(outcome).toEqual({ outcome: 'not_sent', reason: 'There is no access token of the service.' });
  expect(server.connections()).toBe(0);
});

test('a rejected token is reported, and the next try sends with a newer one', async () => {
  const server = await startRawServer((socket, request) => {
    const isNew = request.includes('token-of-generation-2');
    answers(isNew ? 201 : 401, isNew ? '{"id":"1","status":"claimed"}' : '')(socket, request);
  });
  const deps = depsFor(server.url);
  const pay = createPixPayout(deps);
  const outcome = await firstDispatch().run(pay, pixPayout);
  expect(outcome).toMatchObject({ outcome: 'unauthorized', token_generation: 1 });
  expect(deps.tokens.rejected).toEqual([1]);
  const next = await firstDispatch().run(pay, { ...pixPayout, rejected_generation: 1 });
  expect(next).toMatchObject({ outcome: 'answered' });
});

test('a worker that still holds the rejected token gets a newer one before it sends', async () => {
  const server = await startRawServer(accepted);
  const deps = depsFor(server.url);
  await firstDispatch().run(createPixPayout(deps), { ...pixPayout, rejected_generation: 1 });
  expect(deps.tokens.rejected).toEqual([1]);
  expect(server.requests[0]).toContain('Bearer token-of-generation-2');
});

test('a 403 to a token that is new is a refusal', async () => {
  const server = await startRawServer(answers(403, '{"message":"payouts are not enabled"}'));
  const input = { ...pixPayout, rejected_generation: 1 };
  const outcome = await firstDispatch().run(createPixPayout(depsFor(server.url)), input);
  expect(outcome).toEqual({
    outcome: 'refused',
    reason: 'The service answered 403. Its words: message: payouts are not enabled',
    http_status: 403,
  });
});

test('429 and a lost answer come back as they are', async () => {
  const throttling = await startRawServer(answers(429, '', { 'retry-after': '7' }));
  const losing = await startRawServer((socket) => socket.destroy());
  const run = (url: string) => firstDispatch().run(createPixPayout(depsFor(url)), pixPayout);
  expect(await run(throttling.url)).toMatchObject({ outcome: 'throttled', retry_after_ms: 7_000 });
  expect(await run(losing.url)).toMatchObject({ outcome: 'unknown' });
  expect(losing.requests).toHaveLength(1);
});

test.each([
  ['no object at all', 'nonsense', '(body)'],
  ['null', null, '(body)'],
  ['a fault in a field', { ...pixInput, value: 1.999 }, 'value'],
  ['a card in it', { ...pixInput, credit_card: { number: '4111111111111111' } }, 'credit_card'],
  ['the other method', { ...pixInput, method: 'transfer' }, 'agency'],
])('an input with %s is not sent', async (_, payout, field) => {
  const server = await startRawServer(accepted);
  const outcome = await firstDispatch().run(createPixPayout(depsFor(server.url)), { ...pixPayout, payout });
  expect(outcome).toMatchObject({
    outcome: 'invalid_input',
    problems: expect.arrayContaining([expect.objectContaining({ field })]) as unknown[],
  });
  expect(JSON.stringify(outcome)).not.toContain('4111111111111111');
  expect(server.connections()).toBe(0);
});
