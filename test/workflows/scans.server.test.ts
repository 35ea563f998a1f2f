import { expect } from 'vitest';
import type { Sandbox } from '../../src/dev/sandbox/server.js';
import { test as payments } from '../support/payments.js';
import { freshCode } from '../support/requests.js';

const test = payments.extend('stackOptions', () => ({ activitySlots: 2 }));

const list = 'GET /v1/payouts';
const timesListed = (sandbox: Sandbox) => sandbox.ledger().calls[list] ?? 0;

test('scans that hang hold up no call that creates something: their slots are their own', async ({
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
