import { Client, Connection } from '@temporalio/client';
import { expect, test } from 'vitest';
import { viewSchedules } from '../../src/health/schedules.js';
import { reconciliationSchedules } from '../../src/temporal/reconciliation-schedules.js';

const notFound = 5;

test.for([
  ['DEADLINE_EXCEEDED', 4, 'could not be described'],
  ['UNAVAILABLE', 14, 'could not be described'],
  ['PERMISSION_DENIED', 7, null],
  ['UNIMPLEMENTED', 12, null],
] as const)(
  'a Schedule that Temporal answers with %s does not hide what is wrong with the others',
  async ([, code, fault]) => {
    const [first, ...others] = reconciliationSchedules('payments');
    const describeSchedule = ({ scheduleId }: { scheduleId: string }) => {
      const answer = { code: scheduleId === first.scheduleId ? code : notFound, details: 'no' };
      return Promise.reject(Object.assign(new Error('no'), answer, { metadata: {} }));
    };
    const connection = Connection.lazy({ address: '127.0.0.1:1' });
    const client = new Client({
      connection: Object.assign(connection, { workflowService: { describeSchedule } }),
    });
    expect(await viewSchedules(client, 'payments', Date.now())).toEqual([
      ...(fault === null ? [] : [{ scheduleId: first.scheduleId, fault }]),
      ...others.map(({ scheduleId }) => ({ scheduleId, fault: 'does not exist' })),
    ]);
  },
);
