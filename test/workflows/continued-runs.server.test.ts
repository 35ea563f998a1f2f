import { expect, vi } from 'vitest';
import { scanBackMs } from '../../src/domain/call-limits.js';
import { startedOnceMemo } from '../../src/domain/start-check.js';
import { recordedAs } from '../support/keep-histories.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode, pixPayout } from '../support/requests.js';
import { test } from '../support/resets.js';
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
