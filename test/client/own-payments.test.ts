import { Client, Connection } from '@temporalio/client';
import { defaultPayloadConverter, toPayloads } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { expect, test } from 'vitest';
import { ownPayments } from '../../src/client/own-payments.js';

/** Before what is there in place of Temporal, by the names of its calls. */
function ownPaymentsBefore(workflowService: object) {
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  return ownPayments(new Client({ connection: Object.assign(connection, { workflowService }) }), 'payments');
}

/** A Temporal that finds nothing, and the queries of its searches. */
function findingNothing() {
  const queries: string[] = [];
  const searched = (found: object) => (request: { query: string }) => {
    queries.push(request.query);
    return Promise.resolve(found);
  };
  const calls = {
    pollActivityTaskQueue: () => new Promise(() => undefined),
    describeTaskQueue: () => Promise.resolve({ pollers: [{ lastAccessTime: msToTs(Date.now()) }] }),
    countWorkflowExecutions: searched({ count: { toNumber: () => 0 }, groups: [] }),
    listWorkflowExecutions: searched({ executions: [], nextPageToken: new Uint8Array() }),
  };
  return { queries, payments: ownPaymentsBefore(calls) };
}

test('whose a UUID is, and whose payout, is searched for in capitals and in small letters', async () => {
  const { payments, queries } = findingNothing();
  const small = '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f';
  await payments.ownersOf(small.toUpperCase(), 'order-one');
  await payments.payoutsOf([], [small]);
  expect(queries).toHaveLength(2);
  for (const query of queries) {
    expect(query).toContain(small);
    expect(query).toContain(small.toUpperCase());
  }
});

test('what has changed is searched for on its task queue alone, for the webhooks of others are not its own', async () => {
  const { payments, queries } = findingNothing();
  await payments.changedPayments('2026-05-01T00:00:00Z', 'shop');
  expect(queries).not.toEqual([]);
  for (const query of queries) expect(query).toContain("TaskQueue = 'payments'");
});

test('a page of a bulk retry whose history is gone has nothing to retry', async () => {
  const [pages, report] = [
    { is_checked: true, is_selecting: false, numbers: [1, 2] },
    ['pending', 'done'].map((outcome) => ({
      ...{ partner_code: `rent-${outcome}`, value: 1, cause: '', words: '', attempt: 1, outcome },
      ...{ detail: null, at: null },
    })),
  ];
  const gone = { code: 5, details: 'It is gone.', metadata: new Map() };
  type Query = { execution: { workflowId: string }; query: { queryType: string } };
  const payments = ownPaymentsBefore({
    queryWorkflow: ({ execution: { workflowId }, query: { queryType } }: Query) => {
      if (workflowId.endsWith(':1')) return Promise.reject(Object.assign(new Error(gone.details), gone));
      const payloads = toPayloads(defaultPayloadConverter, queryType === 'pages' ? pages : report);
      return Promise.resolve({ queryResult: { payloads } });
    },
  });
  expect(await payments.pendingOf('nov-1')).toEqual({
    ...{ isChecked: true, isSelecting: false, codes: ['rent-pending'] },
  });
});
