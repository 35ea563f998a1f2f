import { expect } from 'vitest';
import { backlogWatch } from '../../src/temporal/backlog.js';
import { freshCode } from '../support/requests.js';
import { test } from '../support/resets.js';

test('calls that no worker takes are seen to wait, until one has taken them', async ({ stack }) => {
  const callsWait = backlogWatch(stack.server.client, stack.taskQueue);
  const code = freshCode();
  const payout = await stack.withoutActivities(async () => {
    const started = await stack.startPayout(code);
    await expect.poll(callsWait).toBe(true);
    return started;
  });
  await stack.working(async () => {
    await stack.untilStatus(payout, 'claimed');
    await expect.poll(callsWait).toBe(false);
  });
  expect(stack.made(code)).toEqual([code]);
});

test('where Temporal does not say how long calls wait, nothing gives way', async ({ stack }) => {
  const { client } = stack.server;
  const unnamed = backlogWatch(client, '');
  expect(await unnamed()).toBe(false);
});
