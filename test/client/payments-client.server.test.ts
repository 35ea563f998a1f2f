import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CommandRefusedError,
  InvalidRequestError,
  PaymentConflictError,
  PaymentNotFoundError,
  createPaymentsClient,
} from '../../src/client.js';
import type { PaymentsClient } from '../../src/client.js';
import { testWorkflowBundle } from '../support/workflow-bundle.js';
import { testDataConverter } from '../support/temporal-data-converter.js';
import { connectDevServer } from '../support/temporal-dev-server.js';
import type { DevServer } from '../support/temporal-dev-server.js';
import { startWorkers } from '../support/workers.js';
import { cardOrder, newCode, pixPayout } from '../gateway/requests.js';

const workflowsPath = fileURLToPath(new URL('../gateway/workflows/index.ts', import.meta.url));

let server: DevServer;
let payments: PaymentsClient;
let stop: () => Promise<void>;

beforeAll(async () => {
  server = await connectDevServer();
  const { taskQueue } = server;
  stop = await startWorkers(server.place, [
    { taskQueue, workflowBundle: await testWorkflowBundle(workflowsPath) },
  ]);
  payments = createPaymentsClient({
    client: server.client,
    taskQueue: server.taskQueue,
    pollScale: 0.5,
    eagerStart: true,
  });
});

afterAll(async () => {
  await stop();
  await server.close();
});

const payout = (partnerCode?: string) => ({ method: 'pix' as const, ...pixPayout(partnerCode) });
const change = (workflowId: string, message: object) =>
  server.client.workflow.getHandle(workflowId).signal('change', message);

test('a payout is started once, whoever requests it again', async () => {
  const request = payout();
  const first = await payments.startPayout(request);
  const second = await payments.startPayout(request);
  expect([first.repeated, second.repeated]).toEqual([false, true]);
  expect(second.payment.workflowId).toBe(`payout-${request.partner_code}`);
  await expect(payments.startPayout({ ...request, value: 1 })).rejects.toThrow(PaymentConflictError);
});

test('what is written differently and means the same is the same request', async () => {
  const { credit_card: _, ...order } = cardOrder();
  await payments.startCardOrder(order);
  const again = {
    ...order,
    order: { ...order.order, installments: 1, payment_method: 'credit_card' as const },
  };
  expect((await payments.startCardOrder(again)).repeated).toBe(true);
});

test('the waiting times of payments are set by the client', async () => {
  const request = payout();
  const { payment } = await payments.startPayout(request);
  const { events } = await server.client.workflow.getHandle(payment.workflowId).fetchHistory();
  const [input] = events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  const [codec] = testDataConverter.payloadCodecs ?? [];
  const [plain] = (await codec?.decode(input == null ? [] : [input])) ?? [];
  expect(JSON.parse(Buffer.from(plain?.data ?? []).toString())).toEqual({ ...request, poll_scale: 0.5 });
});

test('a request that can not be used is refused by its fields before anything is started', async () => {
  const request = { ...payout(), value: 1.234, document: '1' };
  const failure = await payments.startPayout(request).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(InvalidRequestError);
  expect(failure).toMatchObject({ problems: [{ field: 'document' }, { field: 'value' }] });
  await expect(payments.payout(request.partner_code).state()).rejects.toThrow(PaymentNotFoundError);
});

const operator = { by: 'ana', reason: 'a test' };

describe('a handle', () => {
  test('waits for a status, retries, and shows why a command was refused', async () => {
    const { payment } = await payments.startPayout(payout());
    await change(payment.workflowId, { status: 'error', attention: 'payout_failed' });
    const failed = await payment.awaitStatus({ statuses: ['error'], timeout_seconds: 20 });
    expect(failed).toMatchObject({ status: 'error', attention: 'payout_failed' });
    const retried = await payment.retry({ corrections: { pix: 'bia@example.com' }, ...operator });
    expect(retried.attempts).toHaveLength(2);
    const refused = await payment.retry(operator).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CommandRefusedError);
    expect(refused).toMatchObject({ reason: 'NotParked', message: 'This payout did not fail.' });
    expect(await payment.acknowledge({ attention: 'overdue', ...operator })).toMatchObject({
      attention: null,
    });
  });

  test('of a payment that has ended shows its state and takes no commands', async () => {
    const { payment } = await payments.startPayout(payout());
    await change(payment.workflowId, { status: 'done', end: true });
    await server.client.workflow.getHandle(payment.workflowId).result();
    const wait = { statuses: ['error'], timeout_seconds: 20 };
    expect(await payment.awaitStatus(wait)).toMatchObject({ status: 'done', closed: true });
    await expect(payment.abandon(operator)).rejects.toMatchObject({ reason: 'Closed' });
  });

  test('of a payment that never was fails with that', async () => {
    const nobody = payments.order(newCode());
    await expect(nobody.state()).rejects.toThrow(PaymentNotFoundError);
    await expect(nobody.acknowledge({ attention: 'overdue', ...operator })).rejects.toThrow(
      PaymentNotFoundError,
    );
    await expect(nobody.hint('test')).rejects.toThrow(PaymentNotFoundError);
  });

  test('gives a new card to an order that waits for one', async () => {
    const { credit_card: _, ...order } = cardOrder();
    const { payment } = await payments.startCardOrder(order);
    await change(payment.workflowId, { status: 'awaiting_card' });
    const card = {
      card_ref: '9b2cf0f5-7f7e-4c60-9d0a-3a6d3c3c5b11',
      task_queue: 'card-store-9b2cf0f5-7f7e-4c60-9d0a-3a6d3c3c5b11',
    };
    expect(await payment.provideCard(card)).toMatchObject({ status: 'submitting' });
    await expect(payment.provideCard({ ...card, task_queue: 'elsewhere' })).rejects.toThrow(
      InvalidRequestError,
    );
  });
});
