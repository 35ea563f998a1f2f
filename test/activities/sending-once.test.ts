import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPixPayout } from '../../activities/create-pix-payout.js';
import { answers, type Behaviour } from '../payments-service/raw-server.js';
import {
  dispatched,
  pixInput,
  pixPayout,
  workflowId,
  type Dispatch,
  type Given,
  type TestDeps,
} from './support.js';

const taken = { outcome: 'answered', service_id: '4711', status: 'claimed' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
});

afterEach(() => {
  vi.useRealTimers();
});

const sent = ({ input, ...given }: Given & { input?: object } = {}) =>
  dispatched(createPixPayout, { ...pixPayout, ...input }, given);

const clockBehind = (ms: number) => (deps: TestDeps) => Object.assign(deps, { now: () => Date.now() + ms });

test.for([
  ['the first dispatch', () => ({})],
  ['a worker whose own clock is an hour ahead', () => ahead(3_600_000)],
  ['a worker whose own clock is an hour behind', () => ahead(-3_600_000)],
] as const)('%s sends once, and answers id and status', async ([, given]) => {
  const { outcome, server } = await sent(given());
  expect(outcome).toEqual(taken);
  expect(server.requests).toHaveLength(1);
});

/** All that Temporal and the workflow name is of Temporal's time. */
function ahead(ms: number) {
  const now = Date.now() - ms;
  const info = { scheduledTimestampMs: now, currentAttemptScheduledTimestampMs: now };
  return { info, input: { decided_at: new Date(now).toISOString() }, worker: clockBehind(-ms) };
}

const [later, longAgo] = [Date.now() + 1_000, Date.now() - 35_001];
const late = { scheduledTimestampMs: longAgo, currentAttemptScheduledTimestampMs: longAgo };
const reset = { workflowExecution: { workflowId, runId: 'another-run' } };
const heartbeated = (heartbeatDetails: object): Given => ({ info: { attempt: 2, heartbeatDetails } });
const withEarlierRun = (found: 'found' | 'unknown') => ({
  input: { rule_out_runs_before: 'first-run' },
  worker: (deps: TestDeps) => (deps.earlierRun = () => Promise.resolve(found)),
});
const asItIsToSend = (happens: (dispatch: Dispatch) => unknown): Given => ({
  worker: (deps, dispatch) => {
    deps.tokens.onCurrent = () => {
      happens(dispatch);
    };
  },
});
const freezing = (deps: TestDeps) => {
  const now = Date.now();
  deps.now = () => now;
  deps.tokens.onCurrent = () => vi.setSystemTime(Date.now() + 35_001);
};
const slowWhileSetBack = () => vi.advanceTimersByTime(35_001).setSystemTime(Date.now() - 3_600_000);
const paying = (payout: unknown) => ({ input: { payout } });
const because = (words: string): unknown => expect.stringContaining(words);
const unknown = { outcome: 'unknown', reason: because('may have sent') };
const notSent = { outcome: 'not_sent' };
const invalid = (field: string) => ({
  ...{
    outcome: 'invalid_input',
    problems: expect.arrayContaining([expect.objectContaining({ field })]) as unknown,
  },
});
const withoutToken = (deps: TestDeps) => (deps.tokens.missing = true);
const noToken = { ...notSent, reason: 'There is no access token of the service.' };
const credit_card = { number: '4111111111111111' };

test.for<[string, Parameters<typeof sent>[0], object]>([
  ['a second attempt', { info: { attempt: 2 } }, unknown],
  ['an activity that was reset', { info: { currentAttemptScheduledTimestampMs: later } }, unknown],
  ['a run that is a reset', { info: reset }, unknown],
  ['a second attempt, after the heartbeat of an answer,', heartbeated(taken), taken],
  ['one after that of an identifier', heartbeated({ ...taken, status: null }), { ...taken, status: null }],
  ['one after that of no identifier', heartbeated({ ...taken, service_id: null }), unknown],
  ['one after that of another outcome', heartbeated({ ...notSent, reason: '' }), unknown],
  ['a payment whose workflow id was used before', withEarlierRun('found'), { outcome: 'invalid_input' }],
  ['a payment whose workflow id can not be looked up', withEarlierRun('unknown'), notSent],
  ['a task that waited too long for a worker', { info: late }, notSent],
  ['a worker whose clock is behind, when it is late,', { worker: clockBehind(35_001) }, notSent],
  ['a worker that freezes, whatever it knows of Temporal’s time,', { worker: freezing }, notSent],
  ['a worker that is slow while its clock is set back', asItIsToSend(slowWhileSetBack), notSent],
  ['a cancelled activity', asItIsToSend((it) => it.cancel()), { ...notSent, reason: because('cancelled') }],
  ['a worker without a token', { worker: withoutToken }, noToken],
  ['an input that is no object', paying('nonsense'), invalid('(body)')],
  ['an input of null', paying(null), invalid('(body)')],
  ['an input with a fault in a field', paying({ ...pixInput, value: 1.999 }), invalid('value')],
  ['an input with a card in it', paying({ ...pixInput, credit_card }), invalid('credit_card')],
  ['an input of the other method', paying({ ...pixInput, method: 'transfer' }), invalid('agency')],
])('%s sends nothing', async ([, given, expected]) => {
  const { outcome, server } = await sent(given);
  expect(outcome).toMatchObject(expected);
  expect(JSON.stringify(outcome)).not.toContain(credit_card.number);
  expect(server.connections()).toBe(0);
});

test('a program that fails while it sends does not know what has happened', async () => {
  const { outcome } = await sent({
    worker: ({ service }) => {
      service.createPixPayout = () => Promise.reject(new Error('secret cause'));
    },
  });
  const reason = 'The program failed while the request was under way.';
  expect(outcome).toEqual({ outcome: 'unknown', reason });
});

test('a request that waits for its connection is asked once more whether it may still be sent', async () => {
  const { outcome } = await sent({
    worker: ({ service }) => {
      service.createPixPayout = (_request, { refusal }) => {
        vi.advanceTimersByTime(35_001);
        const reason = refusal() ?? 'it may be sent';
        return Promise.resolve({ outcome: 'not_sent', httpStatus: null, reason });
      };
    },
  });
  expect(outcome).toMatchObject({ reason: because('time for sending was over') });
});

const rejected = { input: { rejected_generation: 1 } };

test('a rejected token is reported, and the next try sends with a newer one', async () => {
  const { deps, outcome } = await sent({ service: answers(401) });
  expect(outcome).toMatchObject({ outcome: 'unauthorized', token_generation: 1 });
  expect(deps.tokens.rejected).toEqual([1]);
  const next = await sent(rejected);
  expect(next.outcome).toEqual(taken);
  // By a worker that still held the rejected one.
  expect(next.deps.tokens.rejected).toEqual([1]);
  expect(next.server.requests[0]).toContain('Bearer token-of-generation-2');
});

const words = 'The service answered 403. Its words: message: not enabled';
const refused = { outcome: 'refused', reason: words, http_status: 403 };

test.for<[string, Behaviour, object, object]>([
  ['403 to a token that is new', answers(403, '{"message":"not enabled"}'), rejected, refused],
  ['429', answers(429, '', { 'retry-after': '7' }), {}, { outcome: 'throttled', retry_after_ms: 7_000 }],
  ['a lost answer', (socket) => socket.destroy(), {}, { outcome: 'unknown' }],
])('%s comes back as it is', async ([, service, given, expected]) => {
  const { outcome, server } = await sent({ ...given, service });
  expect(outcome).toMatchObject(expected);
  expect(server.requests).toHaveLength(1);
});
