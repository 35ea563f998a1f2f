import { describe, expect } from 'vitest';
import type { Sandbox } from '../../src/dev/sandbox/server.js';
import { statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { freshCode } from '../support/requests.js';

const list = 'GET /v1/payouts';
const timesListed = (sandbox: Sandbox) => sandbox.ledger().calls[list] ?? 0;
const listIsDown = (sandbox: Sandbox) => {
  sandbox.fault({ endpoint: list, times: 10_000, fault: { effect: 'none', status: 503 } });
};

describe('while the list can not be read it is asked for the more rarely, the longer that takes', () => {
  test('by a payout of unknown outcome', async ({ clock, payouts, sandbox }) => {
    listIsDown(sandbox);
    const before = timesListed(sandbox);
    await payouts.start(freshCode(), 'accepted-then-dropped');
    await clock.pass('30 minutes');
    const inHalfAnHour = timesListed(sandbox) - before;
    await clock.pass('1 day');
    const inTheDayAfter = timesListed(sandbox) - before - inHalfAnHour;
    expect(inHalfAnHour).toBeGreaterThan(5);
    expect(inHalfAnHour).toBeLessThan(30);
    expect(inTheDayAfter).toBeGreaterThan(3);
    expect(inTheDayAfter).toBeLessThan(20);
  });

  test('by a payout that may not be sent before a complete scan', async ({ payout, sandbox }) => {
    listIsDown(sandbox);
    payout.service.throttles('POST /v1/payout/pix', 120);
    const before = timesListed(sandbox);
    await payout.start();
    await payout.after('1 day');
    expect(timesListed(sandbox) - before).toBeGreaterThan(10);
    expect(timesListed(sandbox) - before).toBeLessThan(45);
    expect(payout.madeCodes()).toEqual([]);
    payout.service.recovers();
    await payout.until(statusIs('claimed'), '1 hour');
    expect(payout.madeCodes()).toEqual([payout.code]);
  });
});
