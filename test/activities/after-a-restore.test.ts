import { expect, test } from 'vitest';
import { createPixPayout } from '../../activities/create-pix-payout.js';
import { requestRefund } from '../../activities/request-refund.js';
import { answers, startRawServer } from '../payments-service/raw-server.js';
import { depsFor, firstDispatch, pixPayout, sendOnceInput } from './support.js';

const accepted = answers(201, '{"id":4711,"status":"claimed"}');
const second = 1_000;

/** A worker that was started by the runbook: what Temporal holds of earlier was restored. */
function startedNow(url: string, scanBeforeSend: 'when_old' | 'always') {
  return { ...depsFor(url), scanBeforeSend, startedAtMs: Date.now() };
}

test.each([
  ['that began before this worker was started comes a scan again', -second, 'scan_first'],
  ['that began since this worker was started it is sent', second, 'answered'],
])('SCAN_BEFORE_SEND=always: after a scan %s', async (_, sinceStartMs, expected) => {
  const server = await startRawServer(accepted);
  const deps = startedNow(server.url, 'always');
  const scan = { scan_begun_at: new Date(deps.startedAtMs + sinceStartMs).toISOString() };
  const outcome = await firstDispatch().run(createPixPayout(deps), { ...pixPayout, ...scan });
  expect(outcome).toMatchObject({ outcome: expected });
  expect(server.requests).toHaveLength(expected === 'answered' ? 1 : 0);
});

test.each([
  ['before this worker was started is looked for first', -second, null, 'scan_first'],
  ['before this worker was started is sent once a scan has not shown it', -second, 0, 'answered'],
  ['since this worker was started is sent', second, null, 'answered'],
])('SCAN_BEFORE_SEND=when_old: a payout that was decided upon %s', async (_, decided, scanned, expected) => {
  const server = await startRawServer(accepted);
  const deps = startedNow(server.url, 'when_old');
  const since = (ms: number) => new Date(deps.startedAtMs + ms).toISOString();
  const scan = scanned === null ? {} : { scan_begun_at: since(scanned) };
  const input = { ...pixPayout, decided_at: since(decided), ...scan };
  const outcome = await firstDispatch().run(createPixPayout(deps), input);
  expect(outcome).toMatchObject({ outcome: expected });
  expect(server.requests).toHaveLength(expected === 'answered' ? 1 : 0);
});

test.each([
  ['always', -second, 'unknown'],
  ['always', 0, 'answered'],
  ['when_old', -second, 'answered'],
] as const)(
  'SCAN_BEFORE_SEND=%s: of a refund that was scheduled %d ms after its worker was started the outcome is %s',
  async (scanBeforeSend, sinceStartMs, expected) => {
    const server = await startRawServer(answers(200, '{"id":"ord_1","status":"refund_processing"}'));
    const deps = startedNow(server.url, scanBeforeSend);
    const scheduled = deps.startedAtMs + sinceStartMs;
    const outcome = await firstDispatch({
      scheduledTimestampMs: scheduled,
      currentAttemptScheduledTimestampMs: scheduled,
    }).run(requestRefund(deps), { ...sendOnceInput, service_id: 'ord_1' });
    expect(outcome).toMatchObject({ outcome: expected });
    expect(server.requests).toHaveLength(expected === 'answered' ? 1 : 0);
  },
);

test.each([
  ['always', 'unknown'],
  ['when_old', 'answered'],
] as const)(
  'SCAN_BEFORE_SEND=%s: of a refund whose try before ended without an answer and without the mark the outcome is %s',
  async (scanBeforeSend, expected) => {
    const server = await startRawServer(answers(200, '{"id":"ord_1","status":"refund_processing"}'));
    const input = { ...sendOnceInput, ended_unmarked: true, service_id: 'ord_1' };
    const outcome = await firstDispatch().run(requestRefund(startedNow(server.url, scanBeforeSend)), input);
    expect(outcome).toMatchObject({ outcome: expected });
    expect(server.requests).toHaveLength(expected === 'answered' ? 1 : 0);
  },
);
