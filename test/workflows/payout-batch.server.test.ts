import { describe, expect, vi } from 'vitest';
import { test } from '../support/deployment.js';
import { recordedAs } from '../support/keep-histories.js';
import { freshCode, pixPayout, rowsOf } from '../support/requests.js';
import { waiting } from '../support/waiting.js';

const counts = { started: 0, existing: 0, conflict: 0, failed: 0, pending: 0 };
const newBatch = () => `${freshCode()}b`;

describe('a batch', () => {
  test(
    'starts each of its payouts once for its own owner; sent again it starts nothing more, nor do others under its id',
    recordedAs('batch-started'),
    async ({ batches, deployment }) => {
      await deployment.startWorker();
      const batch = { batch_id: newBatch(), payouts: rowsOf(20), starts_per_second: 200 };
      const taken = await batches.send(batch);
      expect(taken.status).toBe(202);
      expect(taken.headers.location).toBe(`/v1/payout-batches/${batch.batch_id}`);
      expect(taken.state).toMatchObject({ status: 'starting', rows: 20, counts: { ...counts, pending: 20 } });

      expect(await batches.finished(batch.batch_id)).toMatchObject({
        status: 'finished',
        counts: { ...counts, started: 20 },
        error_count: 0,
      });
      const again = await batches.send({ ...batch, starts_per_second: 10 });
      expect(again).toMatchObject({ status: 200, state: { counts: { ...counts, started: 20 } } });
      const others = rowsOf(2);
      const refused = await batches.send({ batch_id: batch.batch_id, payouts: others });
      expect(refused).toMatchObject({ status: 409, body: { title: 'Conflict' } });
      await batches.allMade(batch.payouts);
      expect(batches.timesMade(batch.payouts)).toBe(20);
      expect(batches.timesMade(others)).toBe(0);

      // Also once they have moved, which is written anew.
      const shown = await batches.statuses(batch.batch_id, (payouts) => payouts.claimed === 20);
      expect(shown).toEqual({ claimed: 20 });
      const code = batch.payouts[0]?.partner_code ?? '';
      expect((await batches.http('GET', `/v1/payouts/${code}`)).body.started_by).toBe('oms');
      const handle = deployment.server.client.workflow.getHandle(`payout-${code}`);
      expect((await handle.describe()).searchAttributes.PaymentOwner).toEqual(['oms']);
    },
  );

  test('goes on past a payout that exists already and past one whose partner_code is taken', async ({
    batches,
    deployment,
  }) => {
    await deployment.startWorker();
    const [known, taken, fresh] = rowsOf(3);
    await batches.send({ batch_id: newBatch(), payouts: [known, taken] });
    await batches.allMade([known, taken].filter((row) => row !== undefined));
    const batch_id = newBatch();
    await batches.send({ batch_id, payouts: [known, { ...taken, value: 1 }, fresh] });
    expect(await batches.finished(batch_id)).toMatchObject({
      counts: { ...counts, existing: 1, conflict: 1, started: 1 },
      error_count: 1,
      errors: [{ row: 2, partner_code: taken?.partner_code, outcome: 'conflict' }],
    });
  });

  test('started bare with a faulty row is rejected before anything is started', async ({
    batches,
    deployment,
  }) => {
    await deployment.startWorker();
    const rows = rowsOf(2).map((row, at) => (at === 0 ? row : { ...row, value: 0 }));
    const page = await batches.startPage(newBatch(), 1, rows, { pages: 1 });
    expect(await page.result()).toMatchObject({
      status: 'rejected',
      counts: { started: 0, pending: 2 },
      errors: [{ row: 2 }],
    });
  });

  test('of many pages has all of them started before the answer', async ({ batches }) => {
    const batch_id = newBatch();
    const answer = await batches.send({ batch_id, payouts: rowsOf(1_001) });
    expect(answer).toMatchObject({ status: 202, state: { pages: 3, rows: 1_001 } });
    for (const page of [1, 2, 3])
      expect((await batches.pageOf(batch_id, page).describe()).status.name).toBe('RUNNING');
  });
});

describe('a page of a batch', () => {
  test('waits for the page before it', async ({ batches, deployment }) => {
    const started: string[] = [];
    await deployment.startWorker({
      startPayout: (input) => {
        started.push(input.partner_code);
        return deployment.own.startPayout(input);
      },
    });
    const batch_id = newBatch();
    const [first, second] = [rowsOf(1), rowsOf(1)];
    const later = await batches.startPage(batch_id, 2, second);
    expect(await later.query('state')).toMatchObject({ status: 'waiting', counts: { pending: 1 } });
    await batches.startPage(batch_id, 1, first);
    expect(await later.result()).toMatchObject({ status: 'finished' });
    expect(started).toEqual([...first, ...second].map(({ partner_code }) => partner_code));
  });

  test('that is cancelled starts no more, and shows what it has started', async ({ batches, deployment }) => {
    const { open, passed } = deployment.heldUp();
    let started = 0;
    await deployment.startWorker({
      startPayout: async (input) => {
        const outcome = await deployment.own.startPayout(input);
        started += 1;
        if (started > 1) await passed;
        return outcome;
      },
    });
    const batch_id = newBatch();
    const handle = await batches.startPage(batch_id, 1, rowsOf(60), {
      pages: 1,
      rows: 60,
      starts_per_second: 5,
    });
    await vi.waitUntil(() => started > 1, waiting);
    await handle.cancel();
    open();
    await expect(handle.result()).rejects.toThrow();
    const { state } = await batches.http('GET', `/v1/payout-batches/${batch_id}`);
    expect(state.status).toBe('stopped');
    expect(state.counts.started).toBeGreaterThanOrEqual(2);
    expect(state.counts.pending).toBeGreaterThan(0);
  });
});

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
    const ids = [newBatch(), newBatch(), newBatch()];
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
    const batch_id = newBatch();
    await batches.send({ batch_id, starts_per_second: 0.24, payouts: rowsOf(1) });
    await batches.finished(batch_id);
    const { events } = await batches.pageOf(batch_id).fetchHistory();
    const timers = events?.flatMap(({ timerStartedEventAttributes: timer }) => timer ?? []);
    expect(timers).toHaveLength(1);
  });
});
