import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { describe, expect, vi } from 'vitest';
import {
  ensureReconciliationSchedules,
  reconciliationSchedules,
} from '../../src/temporal/reconciliation-schedules.js';
import { test as deployed } from '../support/deployment.js';
import { waiting } from '../support/waiting.js';

const test = deployed
  .extend('schedules', ({ deployment: { server } }, { onCleanup }) =>
    schedulesOn(server.client, server.taskQueue, onCleanup),
  )
  // For one test only: the ids of scheduled runs differ only by the second.
  .extend('newSchedules', ({ deployment: { server } }, { onCleanup }) =>
    schedulesOn(server.client, `${server.taskQueue}-${randomUUID()}`, onCleanup),
  );

function schedulesOn(client: Client, taskQueue: string, onCleanup: (cleanup: () => Promise<void>) => void) {
  const handles = reconciliationSchedules(taskQueue).map(({ scheduleId }) =>
    client.schedule.getHandle(scheduleId),
  );
  onCleanup(async () => {
    await Promise.all(handles.map((handle) => handle.delete()));
  });
  return { handles, ensure: () => ensureReconciliationSchedules(client, taskQueue) };
}

describe('the Schedules of the reconciliation', () => {
  test('are made once, put right when they were changed, and stay paused when they were paused', async ({
    schedules,
  }) => {
    const [quick] = schedules.handles;
    if (quick === undefined) throw new Error('There is no Schedule.');
    expect(await schedules.ensure()).toEqual(['created', 'created', 'created']);
    expect(await schedules.ensure()).toEqual(['unchanged', 'unchanged', 'unchanged']);
    await quick.pause('maintenance');
    await quick.update((previous) => ({ ...previous, spec: { intervals: [{ every: '3 hours' }] } }));
    expect(await schedules.ensure()).toEqual(['updated', 'unchanged', 'unchanged']);
    const { spec, state, policies } = await quick.describe();
    expect(spec.intervals).toMatchObject([{ every: 600_000 }]);
    expect(state).toMatchObject({ paused: true, note: 'maintenance' });
    expect(policies.overlap).toBe('SKIP');
  });

  test('start the check of identifiers as soon as they are made', async ({ newSchedules }) => {
    await newSchedules.ensure();
    const taken = async () => (await newSchedules.handles[2]?.describe())?.info.numActionsTaken;
    await vi.waitUntil(taken, waiting);
  });

  test('are made again when a stray signal has stopped one that does not show as paused', async ({
    schedules,
    deployment,
  }) => {
    await schedules.ensure();
    const [quick] = schedules.handles;
    const { client, taskQueue } = deployment.server;
    const ofTemporal = `temporal-sys-scheduler:${quick?.scheduleId ?? ''}`;
    const notification = { id: 'x', type: 'payment.status_changed', sequence: 1 };
    await client.workflow.getHandle(ofTemporal).signal('patch', notification);
    expect((await quick?.describe())?.state.paused).toBe(false);
    const inHalfAnHour = Date.now() + 30 * 60_000;
    const [outcome] = await ensureReconciliationSchedules(client, taskQueue, inHalfAnHour);
    expect(outcome).toBe('replaced');
    expect(await schedules.ensure()).toEqual(['unchanged', 'unchanged', 'unchanged']);
  });

  test('run the comparison each ten minutes and the complete scan once a day', async ({
    schedules,
    deployment,
  }) => {
    await deployment.startWorker();
    await schedules.ensure();
    for (const [index, handle] of schedules.handles.slice(0, 2).entries()) {
      await handle.trigger();
      const latest = async () => (await handle.describe()).info.recentActions[0]?.action;
      const action = await vi.waitUntil(latest, waiting);
      const run = deployment.server.client.workflow.getHandle(action.workflow.workflowId);
      expect(await run.result()).toMatchObject({ full: index === 1 });
    }
    expect((await schedules.handles[1]?.describe())?.spec.intervals).toMatchObject([{ every: 86_400_000 }]);
  });
});

test('Schedules have their plain ids on the usual task queue, and others where deployments share a namespace', () => {
  const ids = (taskQueue: string) => reconciliationSchedules(taskQueue).map(({ scheduleId }) => scheduleId);
  const usual = ['payout-reconciliation', 'payout-reconciliation-full', 'identifier-check'];
  expect(ids('payments')).toEqual(usual);
  const others = [
    'payout-reconciliation-other',
    'payout-reconciliation-other-full',
    'identifier-check-other',
  ];
  expect(ids('other')).toEqual(others);
});
