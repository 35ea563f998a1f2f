import { Client, Connection } from '@temporalio/client';
import { describe, expect, test } from 'vitest';
import { InvalidRequestError, PaymentNotFoundError, createPaymentsClient } from '../../src/client.js';
import { pixPayout } from '../gateway/requests.js';

/** A client before what is there in place of Temporal, by the names of its calls; without it nobody listens. */
function clientBefore(workflowService?: object) {
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  if (workflowService !== undefined) Object.assign(connection, { workflowService });
  return createPaymentsClient({ client: new Client({ connection }), taskQueue: 'payments', pollScale: 0.5 });
}

describe('what can not be used is refused before Temporal is asked,', () => {
  test('a request by each of its fields', async () => {
    const start = clientBefore().startPayout({ method: 'pix', ...pixPayout(), value: 1.234, document: '1' });
    const failure = await start.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InvalidRequestError);
    expect(failure).toMatchObject({ problems: [{ field: 'document' }, { field: 'value' }] });
  });

  test('a card that waits at no card store', async () => {
    const card = { card_ref: '9b2cf0f5-7f7e-4c60-9d0a-3a6d3c3c5b11', task_queue: 'elsewhere' };
    await expect(clientBefore().order('books').provideCard(card)).rejects.toThrow(InvalidRequestError);
  });
});

test('a hint for a payment that never was fails with that', async () => {
  const unknown = Object.assign(new Error('unknown'), { code: 5, details: '', metadata: new Map() });
  const nobody = clientBefore({ signalWorkflowExecution: () => Promise.reject(unknown) }).order('nobody');
  await expect(nobody.hint('test')).rejects.toThrow(PaymentNotFoundError);
});
