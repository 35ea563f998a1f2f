import { describe, expect, vi } from 'vitest';
import { test } from '../support/deployment.js';
import { freshCode, pixPayout, rowsOf } from '../support/requests.js';
import { waiting } from '../support/waiting.js';

describe('batches', () => {
  test('whose starts hang hold up no single payout: their slots are their own', async ({
    batches,
    deployment,
    sandbox,
  }) => {
    const slots = 2;
    let hanging = 0;
    const { open, passed } = deployment.heldUp();
    const startPayout: typeof deployment.own.startPayout = async (...start) => {
      hanging += 1;
      await passed;
      return deployment.own.startPayout(...start);
    };
    await deployment.startWorker({ startPayout }, slots);
    const ids = [1, 2, 3].map((number) => `${freshCode()}b${String(number)}`);
    for (const batch_id of ids)
      expect((await batches.send({ batch_id, payouts: rowsOf(1) })).status).toBe(202);
    await vi.waitUntil(() => hanging === slots, waiting);

    const { method: _, ...body } = pixPayout(freshCode());
    expect((await batches.http('POST', '/v1/payouts/pix', { body })).status).toBe(202);
    await sandbox.until(({ payouts }) =>
      payouts.some(({ partner_code: code }) => code === body.partner_code),
    );
    expect(hanging).toBe(slots);
    open();
    for (const id of ids) expect((await batches.finished(id)).counts.started).toBe(1);
  });

  test('at a slow pace wait in their workflow: an activity that waits holds a slot', async ({
    batches,
    deployment,
  }) => {
    await deployment.startWorker();
    const batch_id = `${freshCode()}b`;
    await batches.send({ batch_id, starts_per_second: 0.24, payouts: rowsOf(1) });
    await batches.finished(batch_id);
    const { events } = await batches.pageOf(batch_id).fetchHistory();
    const timers = events?.flatMap(({ timerStartedEventAttributes: timer }) => timer ?? []);
    expect(timers).toHaveLength(1);
  });
});
