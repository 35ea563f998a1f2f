import { Client, Connection } from '@temporalio/client';
import { defaultPayloadConverter, toPayloads } from '@temporalio/common';
import proto from '@temporalio/proto';
import { expect, test, vi } from 'vitest';
import { ownPayments } from '../../src/client/own-payments.js';

const { ListWorkflowExecutionsResponse, QueryWorkflowResponse } = proto.temporal.api.workflowservice.v1;

test('whose a UUID is, and whose payout, is searched for in capitals and in small letters', async () => {
  const client = new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) });
  const search = vi
    .spyOn(client.workflowService, 'listWorkflowExecutions')
    .mockResolvedValue(ListWorkflowExecutionsResponse.create());
  const small = '7f9c24e8-3b12-4e6f-9d47-0a5c1e2b3d4f';
  const payments = ownPayments(client, 'payments');
  await payments.ownersOf(small.toUpperCase(), 'order-one');
  await payments.payoutsOf([], [small]);
  expect(search).toHaveBeenCalledTimes(2);
  for (const [{ query = '' }] of search.mock.calls) {
    expect(query).toContain(small);
    expect(query).toContain(small.toUpperCase());
  }
});

test('a page of a bulk retry whose history is gone has nothing to retry', async () => {
  const client = new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) });
  const [pages, report] = [
    { is_checked: true, is_selecting: false, numbers: [1, 2] },
    ['pending', 'done'].map((outcome) => ({
      ...{ partner_code: `rent-${outcome}`, value: 1, cause: '', words: '', attempt: 1, outcome },
      ...{ detail: null, at: null },
    })),
  ];
  const gone = Object.assign(new Error('It is gone.'), {
    code: 5,
    details: 'It is gone.',
    metadata: new Map(),
  });
  vi.spyOn(client.workflowService, 'queryWorkflow').mockImplementation(({ execution, query }) => {
    const id = execution?.workflowId ?? '';
    if (id.endsWith(':1')) return Promise.reject(gone);
    const payloads = toPayloads(defaultPayloadConverter, query?.queryType === 'pages' ? pages : report);
    return Promise.resolve(QueryWorkflowResponse.create({ queryResult: { payloads: payloads ?? [] } }));
  });
  expect(await ownPayments(client, 'payments').pendingOf('nov-1')).toEqual({
    ...{ isChecked: true, isSelecting: false, codes: ['rent-pending'] },
  });
});
