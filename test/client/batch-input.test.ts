import { describe, expect, test } from 'vitest';
import { pagesOf } from '../../src/client/batch-pages.js';
import { rowsOf as rowsIn } from '../../src/client/batch-rows.js';
import { checkBatch } from '../../src/client/payout-batch.js';
import { freshCode, pixPayout, rowsOf, transferPayout } from '../support/requests.js';
import { postForAllTests, type Format } from './support/batch-requests.js';

const { post, refused } = postForAllTests();
const send = (payouts: readonly unknown[]) =>
  post('/v1/payout-batches', JSON.stringify({ batch_id: 'wages', payouts }));

describe('a batch', () => {
  test('reports every fault with its row', async () => {
    const rows = rowsOf(4);
    const { status, body } = await send([
      rows[0],
      { ...rows[1], pix: 'no key', value: 1.234 },
      { ...rows[2], method: 'cheque' },
      { ...rows[3], partner_code: rows[0]?.partner_code },
    ]);
    expect(status).toBe(400);
    expect(body.errors).toMatchObject([
      { row: 2, field: 'value' },
      { row: 2, field: 'pix' },
      { row: 3, field: 'method' },
      { row: 4, field: 'partner_code', message: expect.stringContaining('row 1') as string },
    ]);
  });

  test('with thousands of faults lists the first and counts all', async () => {
    const { status, body } = await send(rowsOf(300).map((row) => ({ ...row, value: -1 })));
    expect({ status, ...body }).toMatchObject({ status: 400, error_count: 300 });
    expect(body.errors).toHaveLength(100);
  });

  test.for([
    ['one', 10_001],
    // Those that follow are not read any more.
    ['thousands', 14_000],
  ] as const)('is refused when it is %s too many', async ([, rows]) => {
    expect(await send(rowsOf(rows))).toMatchObject({ status: 400, body: { errors: [{ field: 'payouts' }] } });
  });

  test('is the same batch as JSON, as JSON Lines and as CSV', async () => {
    const transfer = transferPayout(freshCode(), { value: 1999.9, bank_code: '001' });
    const payouts = [pixPayout(freshCode()), transfer];
    const columns = [...new Set(payouts.flatMap((row) => Object.keys(row)))];
    const cells = (row: object) =>
      columns.map((name) => String(Object.entries(row).find(([key]) => key === name)?.[1] ?? ''));
    const csv = [columns, ...payouts.map(cells)].map((line) => line.join(';')).join('\r\n');
    const lines = payouts.map((row) => JSON.stringify(row)).join('\n');
    const digestOf = async (rows: unknown) =>
      pagesOf({ batch_id: 'wages' }, (await checkBatch({ batch_id: 'wages', payouts: rows })).payouts)[0]
        ?.digest;
    const digest = await digestOf(payouts);
    expect(digest).toMatch(/^\S{43}$/);
    expect(await digestOf(await rowsIn('jsonl', [Buffer.from(lines)]))).toBe(digest);
    const european = Buffer.from(`\uFEFF${csv.replace('1999.9', '1999,90')}`);
    expect(await digestOf(await rowsIn('csv', [european]))).toBe(digest);
  });

  test.for<[Format, string, string]>([
    ['csv', 'method,value\npix,1,2', 'line 2'],
    ['jsonl', '{"method":"pix"}\n{', 'line 2'],
  ])('as %s that can not be read is refused with the place: %s', async ([format, text, place]) => {
    const errors = await refused('/v1/payout-batches?batch_id=wages', text, format);
    expect(errors).toMatchObject([{ message: expect.stringContaining(place) as string }]);
  });

  test.for([
    ['?starts_per_second=fast', 'starts_per_second'],
    ['?batch_id=x&page=2', 'page'],
    ['?starts_per_second=0&batch_id=x', 'starts_per_second'],
  ] as const)('with the query %s is refused by its field', async ([query, field]) => {
    const line = JSON.stringify(pixPayout(freshCode()));
    const errors = await refused(`/v1/payout-batches${query}`, line, 'jsonl');
    expect(errors).toContainEqual(expect.objectContaining({ field }));
  });

  test('of 10,000 payouts has pages of at most 500', async () => {
    const { payouts } = await checkBatch({ batch_id: 'all', payouts: rowsOf(10_000) });
    const pages = pagesOf({ batch_id: 'all' }, payouts);
    expect(pages.map((page) => page.payouts.length)).toEqual(Array(20).fill(500));
  });

  test('with long fields is parted further, so that each page stays below the limit of a payload', async () => {
    const name = { first_name: '漢'.repeat(64), last_name: '字'.repeat(64) };
    const long = rowsOf(1_000).map((row) => ({ ...row, ...name }));
    const { payouts } = await checkBatch({ batch_id: 'long', payouts: long });
    const wide = payouts.map((row) => ({ ...row, email: `${'e'.repeat(4_000)}@example.com` }));
    const pages = pagesOf({ batch_id: 'long' }, wide);
    expect(pages.length).toBeGreaterThan(2);
    for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(2_000_000);
    expect(pages.flatMap((page) => page.payouts)).toEqual(wide);
    expect(pages.at(-1)).toMatchObject({ page: pages.length, rows: 1_000 });
  });
});
