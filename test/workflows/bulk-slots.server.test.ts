import { describe, expect, vi } from 'vitest';
import { call } from '../gateway/test-gateway.js';
import { test } from '../support/deployment.js';
import { rowsOf } from '../support/lifecycles/payout-batches.js';
import { freshCode, pixPayout } from '../support/requests.js';
import { waiting } from '../support/waiting.js';

describe('batches', () => {
  test('whose starts hang hold up no single payout: their slots are their own', async ({
    batches,
    deployment,
    sandbox,
  }) => {
    let hanging = 0;
    let release = () => undefined as void;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await deployment.startWorker(
      {
        startPayout: async (...start) => {
          hanging += 1;
          await released;
          return deployment.own.startPayout(...start);
        },
      },
      2,
    );
    const ids = [1, 2, 3].map((number) => `${freshCode()}b${String(number)}`);
    for (const batch_id of ids)
      expect((await batches.send({ batch_id, payouts: rowsOf(1) })).status).toBe(202);
    await vi.waitUntil(() => hanging === 2, waiting);

    const { method: _, ...single } = pixPayout(freshCode());
    const { apiKey, gatewayUrl } = deployment;
    expect((await call(gatewayUrl, 'POST', '/v1/payouts/pix', { key: apiKey, body: single })).status).toBe(
      202,
    );
    await sandbox.until(({ payouts }) =>
      payouts.some(({ partner_code: code }) => code === single.partner_code),
    );
    expect(hanging).toBe(2);
    release();
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
    const page = deployment.server.client.workflow.getHandle(`batch-${batch_id}-1`);
    const { events } = await page.fetchHistory();
    const timers = events?.flatMap(({ timerStartedEventAttributes: timer }) => timer ?? []);
    expect(timers).toHaveLength(1);
  });
});
