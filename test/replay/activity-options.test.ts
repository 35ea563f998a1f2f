import { expect, test } from 'vitest';
import { scanTaskQueue } from '../../src/domain/call-limits.js';
import { asRecord } from '../../src/domain/records.js';
import { callOptions } from '../../workflows/shared/activities.js';
import type { CallName } from '../../workflows/shared/engine.js';
import { keptHistories } from './kept-histories.js';

/** The calls that a worker takes from a task queue. */
const names = [
  ...(['createPixPayout', 'createTransferPayout', 'createCheckout', 'createThreeDSecureOrder'] as const),
  ...(['requestRefund', 'validateAccount', 'createCardOrder', 'completeThreeDSecureOrder'] as const),
  ...(['findPayouts', 'findOwner', 'readPayout', 'readOrder', 'readThreeDSecureToken'] as const),
] satisfies CallName[];

/** In milliseconds; what an activity is scheduled without, the server fills in. */
function boundsOf(name: CallName) {
  const options = callOptions(name, { summary: '' }, 'payments');
  const { retry, summary: _summary, taskQueue: _queue, ...bounds } = asRecord(options);
  const { nonRetryableErrorTypes: _types, ...retries } = asRecord(retry);
  const heartbeat = {
    heartbeatTimeout: Math.min(Number(bounds.heartbeatTimeout), Number(bounds.startToCloseTimeout)),
  };
  // The server lets a heartbeat take no longer than the call.
  return { ...bounds, ...('heartbeatTimeout' in bounds && heartbeat), ...retries };
}

const halfAnHour = {
  startToCloseTimeout: 1_800_000,
  scheduleToCloseTimeout: 1_800_000,
  heartbeatTimeout: 60_000,
};
test('a scan has half an hour in a lane of its own: the list of a busy account takes many minutes', () => {
  const scan = callOptions('findPayouts', { summary: '' }, 'payments');
  expect(scan).toMatchObject({ ...halfAnHour, taskQueue: scanTaskQueue('payments') });
});

test('a scan or a read that a command waits for ends within the time that it is given', () => {
  const within = (name: CallName) => callOptions(name, { summary: '', withinMs: 840_000 }, 'payments');
  const scan = { startToCloseTimeout: 840_000, scheduleToCloseTimeout: 840_000 };
  expect(within('findPayouts')).toMatchObject(scan);
  expect(within('readPayout')).toMatchObject({ scheduleToCloseTimeout: 840_000 });
});

test.for(['checkInput', 'checkRun'] as const)(
  '%s is tried until it works: no payment is lost for it',
  (name) => {
    const options = callOptions(name, { summary: '' }, 'payments');
    const forEver = { initialInterval: '1s', backoffCoefficient: 2, maximumInterval: '1 minute' };
    expect(asRecord(options).retry).toEqual(forEver);
    expect(options).not.toHaveProperty('scheduleToCloseTimeout');
  },
);

/** Bounds change with releases, and histories are kept of all of them. */
test.for(names)('the bounds of %s are those with which a kept history has scheduled it', async (name) => {
  const recorded = (await keptHistories()).flatMap(({ history }) =>
    history.events.flatMap(({ activityTaskScheduledEventAttributes: scheduled }) =>
      scheduled?.activityType?.name === name ? [scheduled] : [],
    ),
  );
  const msOf = (duration: { seconds?: unknown } | null | undefined) => Number(duration?.seconds ?? 0) * 1_000;
  const kept = recorded.map(({ retryPolicy, ...scheduled }) => ({
    startToCloseTimeout: msOf(scheduled.startToCloseTimeout),
    scheduleToCloseTimeout: msOf(scheduled.scheduleToCloseTimeout),
    scheduleToStartTimeout: msOf(scheduled.scheduleToStartTimeout),
    heartbeatTimeout: msOf(scheduled.heartbeatTimeout),
    maximumAttempts: retryPolicy?.maximumAttempts,
  }));
  expect(kept).toContainEqual(expect.objectContaining(boundsOf(name)));
});
