import { expect } from 'vitest';
import { creatingActivity } from '../../src/domain/call-limits.js';
import { neverStartedAfterMs } from '../../src/temporal/never-started.js';
import { recordedAs } from '../support/keep-histories.js';
import { statusIs } from '../support/payment.js';
import { test as payments } from '../support/payments.js';
import { freshCode } from '../support/requests.js';

const test = payments.extend('stackOptions', () => ({ activitySlots: 1 }));

const create = 'POST /v1/payout/pix';

test(
  'a payout that no worker takes in time waits for its turn, and is sent once',
  recordedAs('payout-sent-in-its-turn'),
  async ({ payouts, sandbox, clock, stack }) => {
    sandbox.fault({ endpoint: create, times: 1, fault: { effect: 'none', status: 503, delay_ms: 29_000 } });
    const first = await payouts.start(freshCode());
    await sandbox.until(({ calls }) => calls[create] === 1);
    const code = freshCode();
    const payout = await payouts.start(code);
    await payout.until(({ awaiting }) => awaiting.includes('the answer of the service'));
    // No time is skipped while a call is under way.
    await clock.pass('26 seconds');
    await payout.until(({ timeline }) =>
      timeline.some(({ what }) => what.includes('No worker took it in time')),
    );
    expect(sandbox.ledger().payouts).toEqual([]);
    sandbox.hurry();
    await payout.until(statusIs('claimed'));
    expect(sandbox.ledger().payouts).toMatchObject([{ partner_code: code, times_created: 1 }]);
    const { runId, workflowId } = await stack.handleOf(payout).describe();
    const afterMs = await neverStartedAfterMs(stack.client, workflowId, runId);
    expect(Math.round((afterMs ?? 0) / 1_000)).toBe(creatingActivity.scheduleToStartMs / 1_000);
    const { events } = await stack.handleOf(payout).fetchHistory();
    const scheduled = events?.flatMap(
      ({ activityTaskScheduledEventAttributes: it }) => it?.activityType?.name ?? [],
    );
    expect(scheduled?.slice(0, 3)).toEqual(['createPixPayout', 'takeTurn', 'createPixPayout']);
    expect(scheduled?.slice(3).filter((name) => name !== 'readPayout')).toEqual([]);
    await first.until(statusIs('submitting'));
  },
);
