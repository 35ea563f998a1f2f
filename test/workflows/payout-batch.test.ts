import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { checkBatch } from '../../src/client/payout-batch.js';
import { pagesOf } from '../../src/client/batch-pages.js';
import type { PayoutBatchState } from '../../src/contract/payout-batch.js';
import type { PayoutInput } from '../../src/contract/payout.js';
import { call } from '../gateway/rig.js';
import type { CallOptions } from '../gateway/rig.js';
import { replayAfter } from '../support/replay.js';
import { freshCode, pixPayout, transferPayout } from '../support/requests.js';
import { startFleetRig, type FleetRig } from '../support/fleet-rig.js';
import { workflowBundle } from '../support/temporal-dev-server.js';

let rig: FleetRig;
beforeAll(async () => {
  rig = await startFleetRig();
});
afterEach(() =>
  replayAfter(rig.server.client, rig.server.started, { workflowBundle: workflowBundle(), leftOpen: 'all' }),
);
afterAll(() => rig.close());

type Row = ReturnType<typeof pixPayout>;

const rowsOf = (count: number, prefix = freshCode()): Row[] =>
  Array.from({ length: count }, (_, i) => pixPayout(`${prefix}-p${String(i)}x`));

async function http(method: 'GET' | 'POST', path: string, options: CallOptions = {}) {
  const answer = await call(rig.gatewayUrl, method, path, { key: rig.apiKey, ...options });
  return { ...answer, state: JSON.parse(answer.text) as PayoutBatchState };
}

const send = (body: object) => http('POST', '/v1/payout-batches', { body });

async function finished(batchId: string): Promise<PayoutBatchState> {
  const pages = (await http('GET', `/v1/payout-batches/${batchId}`)).state.pages;
  for (let page = 1; page <= pages; page += 1) {
    await rig.server.client.workflow.getHandle(`batch-${batchId}-${String(page)}`).result();
  }
  return (await http('GET', `/v1/payout-batches/${batchId}`)).state;
}

/** The statuses of a batch's payouts, as soon as search shows what is waited for. */
async function statuses(batchId: string, holds: (payouts: Record<string, number>) => boolean) {
  for (;;) {
    const { payouts } = (await http('GET', `/v1/payout-batches/${batchId}?payouts=true`)).state;
    if (payouts !== undefined && holds(payouts)) return payouts;
  }
}

const timesMade = (rows: readonly { partner_code: string }[]) => {
  const codes = new Set(rows.map(({ partner_code }) => partner_code));
  return rig.sandbox.ledger().payouts.filter(({ partner_code }) => codes.has(partner_code)).length;
};
const mostTimesMade = (rows: readonly { partner_code: string }[]) =>
  Math.max(...rows.map((row) => timesMade([row])));
const allMade = (rows: readonly { partner_code: string }[]) =>
  rig.sandbox.until(() => timesMade(rows) >= rows.length);

const counts = { started: 0, existing: 0, conflict: 0, failed: 0, pending: 0 };

describe('a batch', () => {
  test('gives its payouts to its own owner, who still has them when they move', async () => {
    const stop = await rig.startWorker();
    const batch = { batch_id: freshCode() + 'b', payouts: rowsOf(1) };
    await send(batch);
    await finished(batch.batch_id);
    const [row] = batch.payouts;
    const path = `/v1/payouts/${row?.partner_code ?? ''}`;
    await http('GET', `${path}?until=claimed,processing,done`, { headers: { prefer: 'wait=30' } });
    expect((await http('GET', path)).body.started_by).toBe('oms');
    const handle = rig.server.client.workflow.getHandle(`payout-${row?.partner_code ?? ''}`);
    expect((await handle.describe()).searchAttributes.PaymentOwner).toEqual(['oms']);
    await stop();
  });

  test('starts each of its payouts once, and sent again starts nothing more', async () => {
    const stop = await rig.startWorker();
    const batch = { batch_id: freshCode() + 'b', payouts: rowsOf(150), starts_per_second: 200 };
    const taken = await send(batch);
    expect(taken.status).toBe(202);
    expect(taken.headers.location).toBe(`/v1/payout-batches/${batch.batch_id}`);
    expect(taken.state).toMatchObject({ status: 'starting', rows: 150, counts: { ...counts, pending: 150 } });

    expect(await finished(batch.batch_id)).toMatchObject({
      status: 'finished',
      counts: { ...counts, started: 150 },
      error_count: 0,
    });
    const again = await send({ ...batch, starts_per_second: 10 });
    expect(again).toMatchObject({ status: 200, state: { counts: { ...counts, started: 150 } } });
    await allMade(batch.payouts);
    expect(timesMade(batch.payouts)).toBe(150);
    const shown = await statuses(batch.batch_id, (payouts) => payouts.claimed === 150);
    expect(shown).toEqual({ claimed: 150 });
    await stop();
  });

  test('with other payouts under the same batch_id is refused, and none of them is started', async () => {
    const stop = await rig.startWorker();
    const batch_id = freshCode() + 'b';
    await send({ batch_id, payouts: rowsOf(1) });
    await finished(batch_id);
    const others = rowsOf(2);
    const answer = await send({ batch_id, payouts: others });
    expect(answer).toMatchObject({ status: 409, body: { title: 'Conflict' } });
    expect(timesMade(others)).toBe(0);
    await stop();
  });

  test('goes on past a payout that exists already and past one whose partner_code is taken', async () => {
    const stop = await rig.startWorker();
    const [known, taken, fresh] = rowsOf(3);
    await send({ batch_id: freshCode() + 'a', payouts: [known, taken] });
    await allMade([known, taken].filter((row) => row !== undefined));
    const batch_id = freshCode() + 'b';
    await send({ batch_id, payouts: [known, { ...taken, value: 1 }, fresh] });
    expect(await finished(batch_id)).toMatchObject({
      counts: { ...counts, existing: 1, conflict: 1, started: 1 },
      error_count: 1,
      errors: [{ row: 2, partner_code: taken?.partner_code, outcome: 'conflict' }],
    });
    await stop();
  });

  test('goes on with another worker when its own is stopped half-way, and pays nobody twice', async () => {
    const batch = { batch_id: freshCode() + 'b', payouts: rowsOf(60), starts_per_second: 100 };
    const halfWay = reached(20);
    const stop = await rig.startWorker({
      startPayout: async (input) => {
        const outcome = await rig.own.startPayout(input);
        halfWay.count();
        return outcome;
      },
    });
    await send(batch);
    await halfWay.promise;
    await stop();
    expect(halfWay.counted()).toBeLessThan(60);
    const stopSecond = await rig.startWorker();
    const state = await finished(batch.batch_id);
    expect(state).toMatchObject({ status: 'finished', counts: { conflict: 0, failed: 0, pending: 0 } });
    // What the stopped worker had in hand may be of unknown fate; none of it is made a second time.
    expect(mostTimesMade(batch.payouts)).toBe(1);
    await stopSecond();
  });

  test('whose activity fails is not begun again: its heartbeat says what is settled', async () => {
    const batch = { batch_id: freshCode() + 'b', payouts: rowsOf(40), starts_per_second: 200 };
    const asked = new Map<string, number>();
    const stop = await rig.startWorker({
      startPayout: async (input: PayoutInput) => {
        const times = (asked.get(input.partner_code) ?? 0) + 1;
        asked.set(input.partner_code, times);
        if (input.partner_code === batch.payouts[25]?.partner_code && times === 1)
          throw new Error('no answer');
        return rig.own.startPayout(input);
      },
    });
    await send(batch);
    expect(await finished(batch.batch_id)).toMatchObject({ status: 'finished', counts: { pending: 0 } });
    expect(asked.get(batch.payouts[25]?.partner_code ?? '')).toBe(2);
    expect(asked.get(batch.payouts[0]?.partner_code ?? '')).toBe(1);
    await allMade(batch.payouts);
    expect(timesMade(batch.payouts)).toBe(40);
    await stop();
  });

  test('tells every fault by its row, and starts none of its payouts', async () => {
    const rows = rowsOf(4);
    const payouts = [
      rows[0],
      { ...rows[1], pix: 'no key', value: 1.234 },
      { ...rows[2], method: 'cheque' },
      { ...rows[3], partner_code: rows[0]?.partner_code },
    ];
    const { status, body } = await send({ batch_id: freshCode() + 'b', payouts });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { row: 2, field: 'value' },
      { row: 2, field: 'pix' },
      { row: 3, field: 'method' },
      { row: 4, field: 'partner_code', message: expect.stringContaining('row 1') as string },
    ]);
    expect(timesMade(rows)).toBe(0);
  });

  test('with thousands of faults lists the first and counts all', async () => {
    const payouts = rowsOf(300).map((row) => ({ ...row, value: -1 }));
    const { status, body } = await send({ batch_id: freshCode() + 'b', payouts });
    expect(status).toBe(400);
    expect(body.errors).toHaveLength(100);
    expect(body).toMatchObject({ error_count: 300 });
  });

  test('is the same batch as JSON, as JSON Lines and as CSV', async () => {
    const stop = await rig.startWorker();
    const batch_id = freshCode() + 'b';
    const payouts = [
      pixPayout(freshCode()),
      transferPayout(freshCode(), { value: 1999.9, bank_code: '001' }),
    ];
    const columns = [...new Set(payouts.flatMap((row) => Object.keys(row)))];
    const cells = (row: object) =>
      columns.map((name) => String(Object.entries(row).find(([key]) => key === name)?.[1] ?? ''));
    const csv = [columns, ...payouts.map(cells)]
      .map((line) => line.join(';'))
      .join('\r\n')
      .replace('1999.9', '1999,90');
    const as = (type: string, raw: string) =>
      http('POST', `/v1/payout-batches?batch_id=${batch_id}`, { raw, headers: { 'content-type': type } });

    expect((await send({ batch_id, payouts })).status).toBe(202);
    const lines = payouts.map((row) => JSON.stringify(row)).join('\n');
    expect((await as('application/x-ndjson', lines)).status).toBe(200);
    expect((await as('text/csv; charset=utf-8', `\uFEFF${csv}`)).status).toBe(200);
    await finished(batch_id);
    await allMade(payouts);
    expect(timesMade(payouts)).toBe(2);
    await stop();
  });

  test.for([
    ['text/csv', 'method;nota\npix;1', 'columns'],
    ['text/csv', 'method,value\npix,1,2', 'line 2'],
    ['application/x-ndjson', '{"method":"pix"}\n{', 'line 2'],
  ])('as %s that can not be read says where: %s', async ([type = '', raw = '', words = '']) => {
    const path = `/v1/payout-batches?batch_id=${freshCode()}b`;
    const { status, body } = await http('POST', path, { raw, headers: { 'content-type': type } });
    expect(status).toBe(400);
    expect(body.errors[0]?.message).toContain(words);
  });

  test.for(['?starts_per_second=fast', '?batch_id=x&page=2', '?starts_per_second=0&batch_id=x'])(
    'with the query %s is refused by its field',
    async (query) => {
      const raw = JSON.stringify(pixPayout(freshCode()));
      const headers = { 'content-type': 'application/jsonl' };
      const { status, body } = await http('POST', `/v1/payout-batches${query}`, { raw, headers });
      expect(status).toBe(400);
      expect(body.errors[0]?.field).toMatch(/starts_per_second|page/);
    },
  );

  test('is refused by its length beyond the bound of this route alone', async () => {
    const raw = ' '.repeat(17 * 1_048_576);
    const headers = { 'content-type': 'application/json' };
    expect((await http('POST', '/v1/payout-batches', { raw, headers })).status).toBe(413);
    expect((await http('POST', '/v1/payouts/pix', { raw: ' '.repeat(70_000), headers })).status).toBe(413);
  });

  test('that nobody knows is not found', async () => {
    expect((await http('GET', '/v1/payout-batches/none')).status).toBe(404);
  });

  test('started bare with a faulty row is rejected before anything is started', async () => {
    const stop = await rig.startWorker();
    const batch_id = freshCode() + 'b';
    const [good, bad] = rowsOf(2);
    const input = {
      batch_id,
      page: 1,
      pages: 1,
      first_row: 1,
      rows: 2,
      digest: 'x',
      payouts: [good, { ...bad, value: 0 }],
    };
    const state: unknown = await rig.server.client.workflow.execute('payoutBatch', {
      workflowId: `batch-${batch_id}-1`,
      taskQueue: rig.server.taskQueue,
      args: [input],
    });
    expect(state).toMatchObject({
      status: 'rejected',
      counts: { started: 0, pending: 2 },
      errors: [{ row: 2 }],
    });
    await stop();
  });
});

describe('a page of a batch', () => {
  const startPage = (batch_id: string, page: number, payouts: Row[], more: object = {}) =>
    rig.server.client.workflow.start('payoutBatch', {
      workflowId: `batch-${batch_id}-${String(page)}`,
      taskQueue: rig.server.taskQueue,
      args: [{ batch_id, page, pages: 2, first_row: page, rows: 2, digest: 'x', payouts, ...more }],
    });

  test('waits for the page before it', async () => {
    const begun: string[] = [];
    const stop = await rig.startWorker({
      startPayout: (input) => {
        begun.push(input.partner_code);
        return rig.own.startPayout(input);
      },
    });
    const batch_id = freshCode() + 'b';
    const [first, second] = [rowsOf(1), rowsOf(1)];
    const later = await startPage(batch_id, 2, second);
    expect(await later.query('state')).toMatchObject({ status: 'waiting', counts: { pending: 1 } });
    await startPage(batch_id, 1, first);
    expect(await later.result()).toMatchObject({ status: 'finished' });
    expect(begun).toEqual([...first, ...second].map(({ partner_code }) => partner_code));
    await stop();
  });

  test('that is cancelled starts no more, and shows what it has started', async () => {
    const some = reached(2);
    const stop = await rig.startWorker({
      startPayout: async (input) => {
        const outcome = await rig.own.startPayout(input);
        some.count();
        return outcome;
      },
    });
    const batch_id = freshCode() + 'b';
    const handle = await startPage(batch_id, 1, rowsOf(60), { pages: 1, rows: 60, starts_per_second: 50 });
    await some.promise;
    await handle.cancel();
    await expect(handle.result()).rejects.toThrow();
    const { state } = await http('GET', `/v1/payout-batches/${batch_id}`);
    expect(state.status).toBe('stopped');
    expect(state.counts.started).toBeGreaterThanOrEqual(2);
    expect(state.counts.pending).toBeGreaterThan(0);
    await stop();
  });
});

describe('a batch of 10,000 payouts', () => {
  test('has pages of at most 500 and is taken with all of them started before the answer', async () => {
    const batch_id = freshCode() + 'big';
    const answer = await send({ batch_id, payouts: rowsOf(10_000) });
    expect(answer).toMatchObject({ status: 202, state: { pages: 20, rows: 10_000 } });
    for (const page of [1, 2, 20]) {
      const handle = rig.server.client.workflow.getHandle(`batch-${batch_id}-${String(page)}`);
      expect((await handle.describe()).status.name).toBe('RUNNING');
    }
  });

  test('is refused when it is one too many', async () => {
    const answer = await send({ batch_id: freshCode() + 'big', payouts: rowsOf(10_001) });
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field: 'payouts' }] } });
  });

  test('with long fields is parted further, so that each page stays below the limit of a payload', async () => {
    const long = rowsOf(1_000).map((row) => ({
      ...row,
      first_name: '漢'.repeat(64),
      last_name: '字'.repeat(64),
    }));
    const { payouts } = await checkBatch({ batch_id: 'long', payouts: long });
    const wide = payouts.map((row) => ({ ...row, email: `${'e'.repeat(4_000)}@example.com` }));
    const pages = pagesOf({ batch_id: 'long' }, wide);
    expect(pages.length).toBeGreaterThan(2);
    for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(2_000_000);
    expect(pages.flatMap((page) => page.payouts)).toEqual(wide);
    expect(pages.at(-1)).toMatchObject({ page: pages.length, rows: 1_000 });
  });
});

/** Resolves when it was counted to so many. */
function reached(wanted: number) {
  let counted = 0;
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return {
    promise,
    counted: () => counted,
    count: () => {
      counted += 1;
      if (counted === wanted) resolve();
    },
  };
}
