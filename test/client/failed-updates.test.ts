import { Client, Connection, ServiceError } from '@temporalio/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createPaymentsClient } from '../../src/client/create-payments-client.js';
import { TemporalUnavailableError } from '../../src/client/errors.js';
import { toHttpError } from '../../src/gateway/http/to-http-error.js';
import { ServerClock } from '../../src/temporal/server-clock.js';

const now = Date.UTC(2026, 4, 1);
const command = { reason: 'a test', by: 'ana' };

/** A client of a Temporal that fails each Update so, with what it has sent. */
function clientOf(code: number, details: string) {
  const sent: unknown[] = [];
  const startUpdate = ({ args }: { args: unknown[] }) => {
    sent.push(...args);
    const cause = Object.assign(new Error(details), { code, details, metadata: {} });
    return Promise.reject(new ServiceError('Workflow Update failed', { cause }));
  };
  const client = new Client({
    connection: Connection.lazy({ address: '127.0.0.1:1' }),
    interceptors: { workflow: [{ startUpdate, query: () => Promise.reject(new Error('was queried')) }] },
  });
  return { payments: createPaymentsClient({ client, taskQueue: 'payments' }), sent };
}

/** A client of a Temporal that never answers; `clock` is what it has read of Temporal's time. */
function unanswered(clock: number | null) {
  const measured = vi.spyOn(ServerClock.prototype, 'currentIfMeasured').mockResolvedValue(clock);
  onTestFinished(() => {
    measured.mockRestore();
  });
  return clientOf(4, 'late');
}

/** What the sender of a command over HTTP is answered. */
const answered = (call: Promise<unknown>) =>
  call.then(
    () => 'nothing thrown',
    (error: unknown) => {
      const { message, statusCode } = toHttpError(error, 'command');
      return `${String(statusCode)} ${message}`;
    },
  );

test('a command is to be taken while its sender waits, by Temporal’s time', async () => {
  const { payments, sent } = unanswered(now);
  const promised = /^503 .* and is not taken later/;
  expect(await answered(payments.payout('P-1').retry(command))).toMatch(promised);
  expect(await answered(payments.bulkRetry('B-1').pause(command))).toMatch(promised);
  expect(sent).toEqual([
    { ...command, take_before: new Date(now + 25_000).toISOString() },
    { ...command, take_before: new Date(now + 65_000).toISOString() },
  ]);
});

test('while Temporal’s time is not known a command has no such bound, and its sender learns that', async () => {
  const { payments, sent } = unanswered(null);
  const warned = /^503 .* it may be taken later\. Read the state/;
  expect(await answered(payments.payout('P-1').retry(command))).toMatch(warned);
  expect(await answered(payments.bulkRetry('B-1').pause(command))).toMatch(warned);
  expect(sent).toEqual([command, command]);
});

/** What Temporal answers when something came in during the task that handled an Update and ended the run. */
const lost = 'Unable to perform workflow execution update due to unexpected workflow task failure.';

test('a command that was lost with its task is not known to have been taken, and may be sent again', async () => {
  const payout = clientOf(9, lost).payments.payout('P-1');
  await expect(payout.retry(command)).rejects.toThrow(TemporalUnavailableError);
});

test('one who waits and whose question was lost with its task is answered as the payment is now', async () => {
  const payout = clientOf(9, lost).payments.payout('P-1');
  await expect(payout.awaitStatus({ statuses: ['done'], timeout_seconds: 1 })).rejects.toThrow('was queried');
});
