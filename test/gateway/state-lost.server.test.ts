import { expect } from 'vitest';
import { freshCode } from '../support/requests.js';
import { test } from '../support/resets.js';
import { call, operatorKey } from './call.js';
import { startGatewayOn } from './test-gateway.js';

test('of a payment that was terminated before it had handled its last events a read answers state-lost', async ({
  stack,
  onTestFinished,
}) => {
  const gateway = await startGatewayOn(stack.server);
  onTestFinished(() => gateway.close());
  const code = freshCode();
  const payout = await stack.working(async () => {
    const started = await stack.startPayout(code, '', { poll_scale: 0.3 });
    await stack.untilStatus(started, 'claimed');
    return started;
  });
  const lastEvent = async () => (await payout.fetchHistory()).events?.at(-1);
  await expect.poll(async () => (await lastEvent())?.workflowTaskScheduledEventAttributes).toBeTruthy();
  await payout.terminate('test');

  const read = await stack.working(() =>
    call(gateway.url, 'GET', `/v1/payouts/${code}`, { key: operatorKey }),
  );
  expect(read).toMatchObject({
    status: 500,
    body: { type: 'urn:durable-payments:problem:state-lost', title: 'State lost' },
  });
  expect(read.body.detail).toContain('the money may still move');
});
