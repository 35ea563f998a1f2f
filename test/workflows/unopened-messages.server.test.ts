import { randomBytes } from 'node:crypto';
import { Client, WorkflowUpdateFailedError } from '@temporalio/client';
import type { WorkflowHandle } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { encodeToPayloads, loadDataConverter } from '@temporalio/common/lib/internal-non-workflow/index.js';
import type { History } from '@temporalio/common/lib/proto-utils.js';
import { Worker } from '@temporalio/worker';
import { expect, vi } from 'vitest';
import type { PayoutState } from '../../src/contract/state.js';
import { createDataConverter } from '../../src/temporal/data-converter.js';
import { parseKeyRing } from '../../src/temporal/key-ring.js';
import { keepingUnopened } from '../../src/temporal/unopened-payloads.js';
import { recordedAs } from '../support/keep-histories.js';
import { freshCode } from '../support/requests.js';
import { test, type ResettableStack } from '../support/resets.js';
import { testPayloadKeys, testWorkflowDataConverter } from '../support/temporal-data-converter.js';
import { longTests } from '../support/waiting.js';
import { workflowBundle } from '../support/workflow-bundle.js';

vi.setConfig(longTests);

const foreignKey = `foreign:${randomBytes(32).toString('base64')}`;
const foreign = createDataConverter(parseKeyRing(foreignKey));
/** Of a worker that was given the key afterwards. */
const bothKeys = keepingUnopened(
  createDataConverter(parseKeyRing(`${testPayloadKeys},${foreignKey}`)),
  () => undefined,
);

const strangerTo = ({ server }: ResettableStack) => new Client({ ...server.place, dataConverter: foreign });
const handleOf = (client: Client, { workflowId }: WorkflowHandle) => client.workflow.getHandle(workflowId);
const hint = { source: 'test' };

/** Lines of the timeline about what could not be opened, each with how often it came. */
const dropped = ({ timeline }: Pick<PayoutState, 'timeline'>) =>
  timeline.flatMap(({ what, times = 1 }) => (what.includes('could not be opened') ? [[what, times]] : []));
const lineOf = (name: string) =>
  `A Signal ${name} could not be opened, and was dropped: nothing was done for it.`;

const eventsOf = async (payout: WorkflowHandle) => (await payout.fetchHistory()).events ?? [];

/** Why a history can't be repeated with these keys; undefined when it can. */
async function replayFault(
  { workflowId }: WorkflowHandle,
  history: History,
  dataConverter: DataConverter,
): Promise<string | undefined> {
  const results = Worker.runReplayHistories({ workflowBundle: workflowBundle(), dataConverter }, [
    { workflowId, history },
  ]);
  for await (const { error } of results) if (error !== undefined) return error.message;
  return undefined;
}

test(
  'a Signal that can’t be opened is dropped and noted, and the payout goes on to done',
  recordedAs('payout-dropped-a-signal'),
  async ({ stack, sandbox }) => {
    const code = freshCode();
    const payout = await stack.working(async () => {
      const started = await stack.startPayout(code);
      await stack.untilStatus(started, 'claimed');
      const stranger = handleOf(strangerTo(stack), started);
      await stranger.signal('statusHint', hint);
      await stranger.signal('statusHint', hint);
      await stranger.signal('4111111111111111', hint);
      await expect
        .poll(async () => dropped(await started.query<PayoutState>('state').catch(() => ({ timeline: [] }))))
        .toEqual([
          [lineOf('statusHint'), 2],
          [lineOf('of a name that is none of ours'), 1],
        ]);
      sandbox.setPayoutStatus(code, 'done');
      await started.signal('statusHint', hint);
      await stack.untilStatus(started, 'done');
      return started;
    });
    const failed = (await eventsOf(payout)).filter(
      (event) => event.workflowTaskFailedEventAttributes != null,
    );
    expect(failed).toEqual([]);
    // Another worker, which has the key by now, drops it as the first one did.
    expect(await replayFault(payout, await payout.fetchHistory(), bothKeys)).toBeUndefined();
  },
);

test('what came before the first task is dropped as well, and so is what is no JSON', async ({ stack }) => {
  const payout = await stack.startPayout(freshCode());
  await handleOf(strangerTo(stack), payout).signal('postbackReceived', hint);
  await stack.server.client.workflowService.signalWorkflowExecution({
    namespace: stack.server.namespace,
    workflowExecution: { workflowId: payout.workflowId },
    signalName: 'retryPayout',
    input: { payloads: [{ metadata: { encoding: Buffer.from('json/plain') }, data: Buffer.from('{') }] },
  });
  const state = await stack.working(() => stack.untilStatus(payout, 'claimed'));
  expect(dropped(state)).toEqual([
    [lineOf('postbackReceived'), 1],
    [lineOf('retryPayout'), 1],
  ]);
});

test('an Update that can’t be opened is refused in words, and a query is answered', async ({ stack }) => {
  await stack.working(async () => {
    const payout = await stack.startPayout(freshCode());
    await stack.untilStatus(payout, 'claimed');
    const stranger = handleOf(strangerTo(stack), payout);
    const refusal = await stranger
      .executeUpdate('abandonPayout', { args: [{ by: 'oms', reason: 'a test' }] })
      .catch((error: unknown) => (error instanceof WorkflowUpdateFailedError ? error.cause : error));
    expect(refusal).toMatchObject({
      type: 'InvalidMessage',
      message: expect.stringContaining('Nothing was changed') as string,
    });
    // Its answer is encrypted with a key that the stranger does not have.
    await expect(stranger.query('state', hint)).rejects.toThrow('which PAYLOAD_KEYS does not hold');
    expect((await payout.query<PayoutState>('state')).status).toBe('claimed');
  });
});

test.for(['a Signal', 'an Update'] as const)(
  '%s that was taken and can’t be opened any more fails the task',
  async (what, { stack }) => {
    const payout = await stack.working(async () => {
      const started = await stack.startPayout(freshCode());
      await stack.untilStatus(started, 'claimed');
      await started.signal('statusHint', hint);
      await stack.untilStatus(started, 'claimed');
      return started;
    });
    const history = await payout.fetchHistory();
    expect(await replayFault(payout, history, testWorkflowDataConverter)).toBeUndefined();
    const payloads = (await encodeToPayloads(loadDataConverter(foreign), hint)) ?? [];
    for (const event of history.events ?? []) {
      const { workflowExecutionSignaledEventAttributes: signal } = event;
      const update = event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.input;
      if (what === 'a Signal' && signal != null) signal.input = { payloads };
      if (what === 'an Update' && update != null) update.args = { payloads };
    }
    expect(await replayFault(payout, history, testWorkflowDataConverter)).toBeDefined();
  },
);

test('a workflow that is no payment drops them as well', async ({ stack }) => {
  const renewal = await stack.start('tokenRenewal', `token-renewal-${freshCode()}`, {
    token_task_queue: 'none',
  });
  await handleOf(strangerTo(stack), renewal).signal('pageProgress', hint);
  await stack.withoutActivities(async () => {
    expect(await renewal.query('health')).toMatchObject({ token: null });
  });
  expect((await stack.tasksOf(renewal)).tasks).toHaveLength(1);
});

test('hundreds of them stop nothing, and the search attribute of their patches stays small', async ({
  stack,
}) => {
  const count = 400;
  const payout = await stack.startPayout(freshCode());
  const stranger = handleOf(strangerTo(stack), payout);
  for (let sent = 0; sent < count; sent += 50)
    await Promise.all(Array.from({ length: 50 }, () => stranger.signal('statusHint', hint)));
  const state = await stack.working(() => stack.untilStatus(payout, 'claimed'));
  expect(dropped(state)).toEqual([[lineOf('statusHint'), count]]);
  // So many messages are enough for a new run.
  const { events } = await stack.tasksOf({ ...payout, runId: payout.firstExecutionRunId });
  const markers = events.filter(
    ({ markerRecordedEventAttributes: marker }) => marker?.markerName === 'core_patch',
  );
  expect(markers).toHaveLength(count);
  const sizes = events.flatMap(({ upsertWorkflowSearchAttributesEventAttributes: upsert }) => {
    const versions = upsert?.searchAttributes?.indexedFields?.TemporalChangeVersion;
    return versions?.data == null ? [] : [versions.data.length];
  });
  expect(Math.max(...sizes)).toBeLessThan(2_048);
  // Temporal's own default is 51,200 events for a run, and a new one is begun long before.
  expect(sizes.length).toBeLessThan(150);
});
