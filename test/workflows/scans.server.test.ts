import { expect, vi } from 'vitest';
import { gate } from '../support/gate.js';
import { test as payments } from '../support/payments.js';
import { freshCode } from '../support/requests.js';
import { waiting } from '../support/waiting.js';

const held = gate();
let begun = 0;
const beforeScan = () => {
  begun += 1;
  return held.passed;
};
const test = payments.extend('stackOptions', { scope: 'file' }, () => ({ activitySlots: 2, beforeScan }));

test('scans that hang hold up no call that creates something: their slots are their own', async ({
  payouts,
  sandbox,
  clock,
}) => {
  for (let scans = 0; scans < 3; scans += 1) await payouts.start(freshCode(), 'dropped-before');
  await clock.pass('11 seconds');
  await vi.waitUntil(() => begun === 2, waiting);
  const code = freshCode();
  await payouts.start(code);
  await sandbox.until(({ payouts: made }) => made.some(({ partner_code: sent }) => sent === code));
  expect(begun).toBe(2);
  held.open();
});
