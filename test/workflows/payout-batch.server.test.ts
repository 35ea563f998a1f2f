import { describe, expect } from 'vitest';
import type { PayoutInput } from '../../src/contract/payout.js';
import { test } from '../support/deployment.js';
import { recordedAs } from '../support/keep-histories.js';
import { rowsOf } from '../support/lifecycles/payout-batches.js';
import { freshCode } from '../support/requests.js';

const counts = { started: 0, existing: 0, conflict: 0, failed: 0, pending: 0 };

describe('a batch', () => {
  test('gives its payouts to its own owner, who still has them when they move', async ({
    batches,
    deployment,
  }) => {
    const stop = await deployment.startWorker();
    const batch = { batch_id: freshCode() + 'b', payouts: rowsOf(1) };
    await batches.send(batch);
    await batches.finished(batch.batch_id);
    const [row] = batch.payouts;
    const path = `/v1/payouts/${row?.partner_code ?? ''}`;
    await batches.http('GET', `${path}?until=claimed,processing,done`, { headers: { prefer: 'wait=30' } });
    expect((await batches.http('GET', path)).body.started_by).toBe('oms');
    const handle = deployment.server.client.workflow.getHandle(`payout-${row?.partner_code ?? ''}`);
    expect((await handle.describe()).searchAttributes.PaymentOwner).toEqual(['oms']);
    await stop();
  });

  test(
    'starts each of its payouts once, and sent again starts nothing more',
    recordedAs('batch-started'),
    async ({ batches, deployment }) => {
      const stop = await deployment.startWorker();
      const batch = { batch_id: freshCode() + 'b', payouts: rowsOf(60), starts_per_second: 200 };
      const taken = await batches.send(batch);
      expect(taken.status).toBe(202);
      expect(taken.headers.location).toBe(`/v1/payout-batches/${batch.batch_id}`);
      expect(taken.state).toMatchObject({
        status: 'starting',
        rows: 60,
        counts: { ...counts, pending: 60 },
      });

      expect(await batches.finished(batch.batch_id)).toMatchObject({
        status: 'finished',
        counts: { ...counts, started: 60 },
        error_count: 0,
      });
      const again = await batches.send({ ...batch, starts_per_second: 10 });
      expect(again).toMatchObject({ status: 200, state: { counts: { ...counts, started: 60 } } });
      await batches.allMade(batch.payouts);
      expect(batches.timesMade(batch.payouts)).toBe(60);
      const shown = await batches.statuses(batch.batch_id, (payouts) => payouts.claimed === 60);
      expect(shown).toEqual({ claimed: 60 });
      await stop();
    },
  );

  test('with other payouts under the same batch_id is refused, and none of them is started', async ({
    batches,
    deployment,
  }) => {
    const stop = await deployment.startWorker();
    const batch_id = freshCode() + 'b';
    await batches.send({ batch_id, payouts: rowsOf(1) });
    await batches.finished(batch_id);
    const others = rowsOf(2);
    const answer = await batches.send({ batch_id, payouts: others });
    expect(answer).toMatchObject({ status: 409, body: { title: 'Conflict' } });
    expect(batches.timesMade(others)).toBe(0);
    await stop();
  });

  test('goes on past a payout that exists already and past one whose partner_code is taken', async ({
    batches,
    deployment,
  }) => {
    const stop = await deployment.startWorker();
    const [known, taken, fresh] = rowsOf(3);
    await batches.send({ batch_id: freshCode() + 'a', payouts: [known, taken] });
    await batches.allMade([known, taken].filter((row) => row !== undefined));
    const batch_id = freshCode() + 'b';
    await batches.send({ batch_id, payouts: [known, { ...taken, value: 1 }, fresh] });
    expect(await batches.finished(batch_id)).toMatchObject({
      counts: { ...counts, existing: 1, conflict: 1, started: 1 },
      error_count: 1,
      errors: [{ row: 2, partner_code: taken?.partner_code, outcome: 'conflict' }],
    });
    await stop();
  });

  test('goes on with another worker when its own is stopped half-way, and pays nobody twice', async ({
    batches,
    deployment,
  }) => {
    const batch = { batch_id: freshCode() + 'b', payouts: rowsOf(60), starts_per_second: 100 };
    const halfWay = reached(20);
    const stop = await deployment.startWorker({
      startPayout: async (input, owner) => {
        const outcome = await deployment.own.startPayout(input, owner);
        await halfWay.count();
        return outcome;
      },
    });
    await batches.send(batch);
    await halfWay.promise;
    const stopped = stop();
    halfWay.release();
    await stopped;
    expect(halfWay.counted()).toBeLessThan(60);
    const stopSecond = await deployment.startWorker();
    const state = await batches.finished(batch.batch_id);
    expect(state).toMatchObject({ status: 'finished', counts: { conflict: 0, failed: 0, pending: 0 } });
    // What the stopped worker was sending may have an unknown outcome; none of it is made a second time.
    expect(batches.mostTimesMade(batch.payouts)).toBe(1);
    await stopSecond();
  });

  test('whose activity fails is not started over: its heartbeat holds what is settled', async ({
    batches,
    deployment,
  }) => {
    const batch = { batch_id: freshCode() + 'b', payouts: rowsOf(40), starts_per_second: 200 };
    const asked = new Map<string, number>();
    const stop = await deployment.startWorker({
      startPayout: async (input: PayoutInput, owner?: string) => {
        const times = (asked.get(input.partner_code) ?? 0) + 1;
        asked.set(input.partner_code, times);
        if (input.partner_code === batch.payouts[25]?.partner_code && times === 1)
          throw new Error('no answer');
        return deployment.own.startPayout(input, owner);
      },
    });
    await batches.send(batch);
    expect(await batches.finished(batch.batch_id)).toMatchObject({
      status: 'finished',
      counts: { pending: 0 },
    });
    expect(asked.get(batch.payouts[25]?.partner_code ?? '')).toBe(2);
    expect(asked.get(batch.payouts[0]?.partner_code ?? '')).toBe(1);
    await batches.allMade(batch.payouts);
    expect(batches.timesMade(batch.payouts)).toBe(40);
    await stop();
  });
});

describe('a page of a batch', () => {
  test('waits for the page before it', async ({ batches, deployment }) => {
    const started: string[] = [];
    const stop = await deployment.startWorker({
      startPayout: (input) => {
        started.push(input.partner_code);
        return deployment.own.startPayout(input);
      },
    });
    const batch_id = freshCode() + 'b';
    const [first, second] = [rowsOf(1), rowsOf(1)];
    const later = await batches.startPage(batch_id, 2, second);
    expect(await later.query('state')).toMatchObject({ status: 'waiting', counts: { pending: 1 } });
    await batches.startPage(batch_id, 1, first);
    expect(await later.result()).toMatchObject({ status: 'finished' });
    expect(started).toEqual([...first, ...second].map(({ partner_code }) => partner_code));
    await stop();
  });

  test('that is cancelled starts no more, and shows what it has started', async ({ batches, deployment }) => {
    const some = reached(2);
    const stop = await deployment.startWorker({
      startPayout: async (input) => {
        const outcome = await deployment.own.startPayout(input);
        await some.count();
        return outcome;
      },
    });
    const batch_id = freshCode() + 'b';
    const handle = await batches.startPage(batch_id, 1, rowsOf(60), {
      pages: 1,
      rows: 60,
      starts_per_second: 5,
    });
    await some.promise;
    await handle.cancel();
    some.release();
    await expect(handle.result()).rejects.toThrow();
    const { state } = await batches.http('GET', `/v1/payout-batches/${batch_id}`);
    expect(state.status).toBe('stopped');
    expect(state.counts.started).toBeGreaterThanOrEqual(2);
    expect(state.counts.pending).toBeGreaterThan(0);
    await stop();
  });
});

/** Resolves when it was counted to so many; who counts then, or later, waits until it is released. */
function reached(wanted: number) {
  let counted = 0;
  const there = gate();
  const released = gate();
  return {
    promise: there.promise,
    release: released.open,
    counted: () => counted,
    count: async () => {
      counted += 1;
      if (counted < wanted) return;
      there.open();
      await released.promise;
    },
  };
}

function gate() {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return {
    promise,
    open: () => {
      open();
    },
  };
}
