import { Client, Connection, ServiceError } from '@temporalio/client';
import { expect, test } from 'vitest';
import { createPaymentsClient } from '../../src/client/create-payments-client.js';
import { TemporalUnavailableError } from '../../src/client/errors.js';

/** What Temporal answers when something came in during the task that handled an Update and ended the run. */
function lost(): Promise<never> {
  const details = 'Unable to perform workflow execution update due to unexpected workflow task failure.';
  const cause = Object.assign(new Error(details), { code: 9, details, metadata: {} });
  return Promise.reject(new ServiceError('Workflow Update failed', { cause }));
}

const client = new Client({
  connection: Connection.lazy({ address: '127.0.0.1:1' }),
  interceptors: { workflow: [{ startUpdate: lost, query: () => Promise.reject(new Error('was queried')) }] },
});
const payout = createPaymentsClient({ client, taskQueue: 'payments' }).payout('P-1');

test('a command that was lost with its task is not known to have been taken, and may be sent again', async () => {
  const command = { reason: 'the key was right', by: 'ana' };
  await expect(payout.retry(command)).rejects.toThrow(TemporalUnavailableError);
});

test('one who waits and whose question was lost with its task is answered as the payment is now', async () => {
  await expect(payout.awaitStatus({ statuses: ['done'], timeout_seconds: 1 })).rejects.toThrow('was queried');
});
