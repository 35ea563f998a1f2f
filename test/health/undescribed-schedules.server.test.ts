import { Client } from '@temporalio/client';
import { expect, test } from 'vitest';
import { viewSchedules } from '../../src/health/schedules.js';
import { reconciliationSchedules } from '../../src/temporal/reconciliation-schedules.js';
import { deployment, onServerAndSandbox, server } from './support.js';

onServerAndSandbox();

test.for([
  ['DEADLINE_EXCEEDED', 4, 'could not be described'],
  ['UNAVAILABLE', 14, 'could not be described'],
  ['PERMISSION_DENIED', 7, null],
  ['UNIMPLEMENTED', 12, null],
] as const)(
  'a Schedule that Temporal answers with %s does not hide what is wrong with the others',
  async ([, code, fault]) => {
    const { taskQueue } = deployment();
    const [first, ...others] = reconciliationSchedules(taskQueue);
    const { workflowService } = server.connection;
    const answer = Object.assign(new Error('no'), { code, details: 'no', metadata: {} });
    const describeSchedule = (request: { namespace: string; scheduleId: string }) =>
      request.scheduleId === first.scheduleId
        ? Promise.reject(answer)
        : workflowService.describeSchedule(request);
    const connection = new Proxy(server.connection, {
      get: (target, name) =>
        name === 'workflowService' ? { describeSchedule } : (Reflect.get(target, name) as unknown),
    });
    const client = new Client({ ...server.place, connection });
    expect(await viewSchedules(client, taskQueue, Date.now())).toEqual([
      ...(fault === null ? [] : [{ scheduleId: first.scheduleId, fault }]),
      ...others.map(({ scheduleId }) => ({ scheduleId, fault: 'does not exist' })),
    ]);
  },
);
