import { Client, Connection } from '@temporalio/client';
import proto from '@temporalio/proto';
import { expect, test, vi } from 'vitest';
import { ownPayments } from '../../src/client/own-payments.js';

const { ListWorkflowExecutionsResponse } = proto.temporal.api.workflowservice.v1;

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
