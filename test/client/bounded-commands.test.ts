import { Client, Connection, ServiceError } from '@temporalio/client';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createPaymentsClient } from '../../src/client/create-payments-client.js';
import { toHttpError } from '../../src/gateway/http/to-http-error.js';
import { ServerClock } from '../../src/temporal/server-clock.js';

const now = Date.UTC(2026, 4, 1);
const command = { reason: 'a test', by: 'ana' };

/** A client of a Temporal that never answers, with what it has sent; `clock` is what it has read of Temporal's time. */
function clientOf(clock: number | null) {
  const measured = vi.spyOn(ServerClock.prototype, 'currentIfMeasured').mockResolvedValue(clock);
  onTestFinished(() => {
    measured.mockRestore();
  });
  const sent: unknown[] = [];
  const startUpdate = ({ args }: { args: unknown[] }) => {
    sent.push(...args);
    const cause = Object.assign(new Error('late'), { code: 4, details: 'late', metadata: {} });
    return Promise.reject(new ServiceError('Workflow Update failed', { cause }));
  };
  const client = new Client({
    connection: Connection.lazy({ address: '127.0.0.1:1' }),
    interceptors: { workflow: [{ startUpdate }] },
  });
  return { payments: createPaymentsClient({ client, taskQueue: 'payments' }), sent };
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
  const { payments, sent } = clientOf(now);
  const promised = /^503 .* and is not taken later/;
  expect(await answered(payments.payout('P-1').retry(command))).toMatch(promised);
  expect(await answered(payments.bulkRetry('B-1').pause(command))).toMatch(promised);
  expect(sent).toEqual([
    { ...command, take_before: new Date(now + 25_000).toISOString() },
    { ...command, take_before: new Date(now + 65_000).toISOString() },
  ]);
});

test('while Temporal’s time is not known a command has no such bound, and its sender is told so', async () => {
  const { payments, sent } = clientOf(null);
  const warned = /^503 .* it may be taken later\. Read the state/;
  expect(await answered(payments.payout('P-1').retry(command))).toMatch(warned);
  expect(await answered(payments.bulkRetry('B-1').pause(command))).toMatch(warned);
  expect(sent).toEqual([command, command]);
});
