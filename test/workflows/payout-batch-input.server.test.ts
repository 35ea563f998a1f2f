import { describe, expect } from 'vitest';
import { pagesOf } from '../../src/client/batch-pages.js';
import { checkBatch } from '../../src/client/payout-batch.js';
import { test } from '../support/deployment.js';
import { rowsOf } from '../support/lifecycles/payout-batches.js';
import { freshCode, pixPayout, transferPayout } from '../support/requests.js';

describe('a batch', () => {
  test('reports every fault with its row, and starts none of its payouts', async ({ batches }) => {
    const rows = rowsOf(4);
    const payouts = [
      rows[0],
      { ...rows[1], pix: 'no key', value: 1.234 },
      { ...rows[2], method: 'cheque' },
      { ...rows[3], partner_code: rows[0]?.partner_code },
    ];
    const { status, body } = await batches.send({ batch_id: freshCode() + 'b', payouts });
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { row: 2, field: 'value' },
      { row: 2, field: 'pix' },
      { row: 3, field: 'method' },
      { row: 4, field: 'partner_code', message: expect.stringContaining('row 1') as string },
    ]);
    expect(batches.timesMade(rows)).toBe(0);
  });

  test('with thousands of faults lists the first and counts all', async ({ batches }) => {
    const payouts = rowsOf(300).map((row) => ({ ...row, value: -1 }));
    const { status, body } = await batches.send({ batch_id: freshCode() + 'b', payouts });
    expect(status).toBe(400);
    expect(body.errors).toHaveLength(100);
    expect(body).toMatchObject({ error_count: 300 });
  });

  test('is the same batch as JSON, as JSON Lines and as CSV', async ({ batches, deployment }) => {
    const stop = await deployment.startWorker();
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
      batches.http('POST', `/v1/payout-batches?batch_id=${batch_id}`, {
        raw,
        headers: { 'content-type': type },
      });

    expect((await batches.send({ batch_id, payouts })).status).toBe(202);
    const lines = payouts.map((row) => JSON.stringify(row)).join('\n');
    expect((await as('application/x-ndjson', lines)).status).toBe(200);
    expect((await as('text/csv; charset=utf-8', `\uFEFF${csv}`)).status).toBe(200);
    await batches.finished(batch_id);
    await batches.allMade(payouts);
    expect(batches.timesMade(payouts)).toBe(2);
    await stop();
  });

  test.for([
    ['text/csv', 'method;nota\npix;1', 'columns'],
    ['text/csv', 'method,value\npix,1,2', 'line 2'],
    ['application/x-ndjson', '{"method":"pix"}\n{', 'line 2'],
  ])(
    'as %s that can not be read is refused with the place: %s',
    async ([type = '', raw = '', words = ''], { batches }) => {
      const path = `/v1/payout-batches?batch_id=${freshCode()}b`;
      const { status, body } = await batches.http('POST', path, { raw, headers: { 'content-type': type } });
      expect(status).toBe(400);
      expect(body.errors[0]?.message).toContain(words);
    },
  );

  test.for(['?starts_per_second=fast', '?batch_id=x&page=2', '?starts_per_second=0&batch_id=x'])(
    'with the query %s is refused by its field',
    async (query, { batches }) => {
      const raw = JSON.stringify(pixPayout(freshCode()));
      const headers = { 'content-type': 'application/jsonl' };
      const { status, body } = await batches.http('POST', `/v1/payout-batches${query}`, { raw, headers });
      expect(status).toBe(400);
      expect(body.errors[0]?.field).toMatch(/starts_per_second|page/);
    },
  );

  test('is refused by its length beyond the bound of this route alone', async ({ batches }) => {
    const raw = ' '.repeat(17 * 1_048_576);
    const headers = { 'content-type': 'application/json' };
    expect((await batches.http('POST', '/v1/payout-batches', { raw, headers })).status).toBe(413);
    expect((await batches.http('POST', '/v1/payouts/pix', { raw: ' '.repeat(70_000), headers })).status).toBe(
      413,
    );
  });

  test('that nobody knows is not found', async ({ batches }) => {
    expect((await batches.http('GET', '/v1/payout-batches/none')).status).toBe(404);
  });

  test('started bare with a faulty row is rejected before anything is started', async ({ deployment }) => {
    const stop = await deployment.startWorker();
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
    const state: unknown = await deployment.server.client.workflow.execute('payoutBatch', {
      workflowId: `batch-${batch_id}-1`,
      taskQueue: deployment.server.taskQueue,
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

describe('a batch of 10,000 payouts', () => {
  test('has pages of at most 500 and is taken with all of them started before the answer', async ({
    batches,
    deployment,
  }) => {
    const batch_id = freshCode() + 'big';
    const answer = await batches.send({ batch_id, payouts: rowsOf(10_000) });
    expect(answer).toMatchObject({ status: 202, state: { pages: 20, rows: 10_000 } });
    for (const page of [1, 2, 20]) {
      const handle = deployment.server.client.workflow.getHandle(`batch-${batch_id}-${String(page)}`);
      expect((await handle.describe()).status.name).toBe('RUNNING');
    }
  });

  test.for([
    ['one', 10_001],
    // Those that follow are not read any more.
    ['thousands', 14_000],
  ] as const)('is refused when it is %s too many', async ([, rows], { batches }) => {
    const answer = await batches.send({ batch_id: freshCode() + 'big', payouts: rowsOf(rows) });
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
