import type { WorkflowHandle } from '@temporalio/client';
import { expect, vi } from 'vitest';
import { scanBackMs } from '../../src/domain/call-limits.js';
import { startedOnceMemo } from '../../src/domain/start-check.js';
import { recordedAs } from '../support/keep-histories.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode, hostedCheckout, pixPayout } from '../support/requests.js';
import { test, type ResettableStack } from '../support/resets.js';
import { waiting } from '../support/waiting.js';

const postback = { received_at: new Date().toISOString(), content_type: null, body: '{}' };

test(
  'a payment with a long history continues as new with everything it knew, while postbacks keep coming',
  recordedAs('payout-continued-as-new'),
  async ({ stack, sandbox }) => {
    const code = freshCode();
    const handle = await stack.startPayout(code);
    await stack.working(async () => {
      await stack.untilStatus(handle, 'claimed');
      const first = (await handle.describe()).runId;
      const current = stack.current(handle);
      await stack.untilNextRun(current, first, () => current.signal('postbackReceived', postback));
      sandbox.setPayoutStatus(code, 'done');
      await current.signal('postbackReceived', postback);
      const done = await stack.untilStatus(current, 'done');
      expect(done.attempts).toMatchObject([{ number: 1, partner_code: code, status: 'done' }]);
    });
    expect(stack.made(code)).toEqual([code]);
  },
);

test('a payment that many wait for answers them all: it continues as new before its Updates are used up', async ({
  stack,
}) => {
  const code = freshCode();
  const handle = await stack.startPayout(code, '', {});
  const current = stack.current(handle);
  await stack.working(async () => {
    for (let asked = 0; asked < 130; asked += 1) await stack.untilStatus(current, 'claimed');
  });
  expect((await current.describe()).runId).not.toBe(handle.firstExecutionRunId);
  expect(stack.made(code)).toEqual([code]);
});

const hint = (stack: ResettableStack, handle: WorkflowHandle) =>
  stack.current(handle).signal<[object]>('statusHint', { source: 'test' });
const ms = (time: Time | null | undefined) =>
  Number(time?.seconds) * 1_000 + Math.round((time?.nanos ?? 0) / 1e6);
type Time = { seconds?: unknown; nanos?: number | null };

/** When the latest timer of the present run goes off: milliseconds since the epoch. */
async function latestTimer(stack: ResettableStack, handle: WorkflowHandle): Promise<number> {
  const { events } = await stack.current(handle).fetchHistory();
  const at = events?.findLastIndex(({ timerStartedEventAttributes: timer }) => timer != null) ?? -1;
  const timer = events?.[at]?.timerStartedEventAttributes;
  const task = events?.slice(0, at).findLast((event) => event.workflowTaskStartedEventAttributes != null);
  return ms(task?.eventTime) + ms(timer?.startToFireTimeout);
}

test('the time of a checkout that can not be sent counts from its start, not from the run that continues it', async ({
  stack,
  sandbox,
}) => {
  const code = freshCode();
  const fault = { effect: 'none', status: 429, headers: { 'retry-after': '3600' } } as const;
  sandbox.fault({ endpoint: 'POST /v1/checkout', partner_code: code, fault });
  await stack.working(async () => {
    const input = { ...hostedCheckout(code), expires_after_hours: 1 };
    const handle = await stack.start('hostedCheckout', `order-${code}`, input);
    const { runId: first, startTime } = await handle.describe();
    await stack.untilNextRun(handle, first, () => hint(stack, handle));
    await stack.untilStatus(stack.current(handle), 'submitting');
    const lateMs = (await latestTimer(stack, handle)) - startTime.getTime() - 3_600_000;
    expect(Math.abs(lateMs)).toBeLessThan(20);
  });
  expect(sandbox.ledger(code).orders).toEqual([]);
});

test('a scan looks back to the start of a payout, not of the run that continues it', async ({
  stack,
  sandbox,
}) => {
  const code = freshCode();
  sandbox.fault({
    endpoint: 'POST /v1/payout/pix',
    partner_code: code,
    fault: { effect: 'done', status: 422 },
  });
  const down = { effect: 'none', status: 503 } as const;
  sandbox.fault({ endpoint: 'GET /v1/payouts', times: 10_000, fault: down });
  await stack.working(async () => {
    const handle = await stack.server.client.workflow.start('payout', {
      ...{ workflowId: `payout-${code}`, taskQueue: stack.taskQueue, args: [pixPayout(code)] },
      memo: { [startedOnceMemo]: true },
    });
    await stack.untilStatus(handle, 'rejected');
    const current = stack.current(handle);
    const { startTime } = await handle.describe();
    await vi.waitUntil(async () => {
      const present = await current.describe();
      if (present.startTime.getTime() > startTime.getTime() + 1_000) return true;
      await current.signal<[object]>('statusHint', { source: 'test' });
      return false;
    }, waiting);

    // A list that descends to what is older than the present run looks for by itself; the payout comes after that.
    const older = startTime.getTime() - scanBackMs(true) + 500;
    const pages = [
      ['young', Date.now()],
      ['older', older],
      [code, older],
    ] as const;
    sandbox.clearFaults();
    for (const [index, [partner_code, at]] of pages.entries()) {
      const record = {
        id: 70 + index,
        partner_code,
        status: 'claimed',
        claimed_at: new Date(at).toISOString(),
      };
      const body = { total_pages: pages.length, current_page: index + 1, payouts: [record] };
      sandbox.fault({ endpoint: 'GET /v1/payouts', fault: { status: 200, body } });
    }
    const retry = current.executeUpdate('retryPayout', { args: [{ by: 'ana', reason: 'a test' }] });
    expect(await retry.catch(refusalOf)).toBe('AlreadyMoving');
  });
  expect(stack.made(code)).toEqual([code]);
});
