import { describe, expect } from 'vitest';
import { scanTaskQueue } from '../../src/domain/call-limits.js';
import type { Sandbox } from '../../src/dev/sandbox/server.js';
import { statusIs } from '../support/payment.js';
import { test as payments } from '../support/payments.js';
import { freshCode } from '../support/requests.js';

const test = payments.extend('stackOptions', () => ({ activitySlots: 2 }));

const list = 'GET /v1/payouts';
const timesListed = (sandbox: Sandbox) => sandbox.ledger().calls[list] ?? 0;

describe('scans of the list of payouts', () => {
  test('that hang hold up no call that creates something: their slots are their own', async ({
    payouts,
    sandbox,
    clock,
  }) => {
    sandbox.fault({ endpoint: list, times: 10, fault: { effect: 'none', status: 503, delay_ms: 25_000 } });
    for (let scans = 0; scans < 3; scans += 1) await payouts.start(freshCode(), 'dropped-before');
    await clock.pass('11 seconds');
    await sandbox.until(({ calls }) => (calls[list] ?? 0) > 0);
    const code = freshCode();
    await payouts.start(code);
    // No time is skipped meanwhile: the scans hang until the sandbox is hurried.
    await sandbox.until(({ payouts: made }) => made.some(({ partner_code: sent }) => sent === code));
    expect(timesListed(sandbox)).toBeLessThan(3);
    sandbox.clearFaults();
    sandbox.hurry();
  });

  test('have half an hour in a lane of their own: the list of a busy account takes many minutes', async ({
    payouts,
    stack,
  }) => {
    const payout = await payouts.start(freshCode(), 'accepted-then-dropped');
    await payout.until(statusIs('claimed'));
    const { events } = await stack.handleOf(payout).fetchHistory();
    const scheduled = events?.flatMap(({ activityTaskScheduledEventAttributes: activity }) => activity ?? []);
    const scan = scheduled?.find(({ activityType }) => activityType?.name === 'findPayouts');
    expect(Number(scan?.startToCloseTimeout?.seconds)).toBe(1_800);
    expect(Number(scan?.scheduleToCloseTimeout?.seconds)).toBe(1_800);
    expect(Number(scan?.heartbeatTimeout?.seconds)).toBe(60);
    expect(scan?.taskQueue?.name).toBe(scanTaskQueue(stack.taskQueue));
  });
});
