import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batchLimits } from '../../../src/domain/batch-limits.js';
import { pixPayout } from '../../gateway/requests.js';
import { startAttackedGateway } from '../support/attacked-gateway.js';
import type { AttackedGateway } from '../support/attacked-gateway.js';

const rowsAndOne = batchLimits.rows + 1;

describe('a file that is refused for anything in it', () => {
  let gateway: AttackedGateway;
  beforeAll(async () => {
    gateway = await startAttackedGateway();
  });
  afterAll(() => gateway.close());

  const row = (number: number, more: object = {}) => ({
    ...{ method: 'pix', ...pixPayout(`upload-${String(number)}`) },
    ...more,
  });
  const rows = (count: number) => Array.from({ length: count }, (_, number) => row(number));
  const json = (...payouts: unknown[]) => JSON.stringify({ batch_id: 'uploaded', payouts });
  const jsonl = (...payouts: unknown[]) => payouts.map((each) => JSON.stringify(each)).join('\n');
  const csv = (...payouts: object[]) =>
    [Object.keys(row(0)).join(), ...payouts.map((each) => Object.values(each).join())].join('\n');
  const card = '4111\u20131111\u200b1111 1111';

  test.for([
    ['a row too many as CSV', 'text/csv', csv(...rows(rowsAndOne))],
    ['a row too many as JSON lines', 'application/jsonl', jsonl(...rows(rowsAndOne))],
    ['a row too many as JSON', 'application/json', json(...rows(rowsAndOne))],
    ['a card in the last row', 'application/json', json(...rows(20), row(20, { first_name: card }))],
    ['a card in an inherited name', 'application/json', json(row(0, { toString: { number: card } }))],
    ['a value that is none', 'text/csv', csv(...rows(20), row(20, { value: '1e9' }))],
    ['a formula for a spreadsheet', 'text/csv', csv(row(0, { value: '=1+1' }))],
    ['a code twice', 'application/jsonl', jsonl(...rows(20), row(3, { value: 1 }))],
    ['an end that is missing', 'application/json', json(...rows(20)).slice(0, -3)],
    ['a quote that never ends', 'text/csv', `${csv(...rows(20))}\npix,"`],
    ['more than 16 MB', 'application/jsonl', `${jsonl(row(0))}\n${' '.repeat(17 * 1_048_576)}`],
    ['the name of another type', 'application/xml', json(row(0))],
  ] as const)('%s: no payout of it is started, and no money moves', async ([, type, file]) => {
    const { status, text } = await gateway.upload(type, file);
    expect(file.length > 16 * 1_048_576 ? [413] : [400, 413, 415]).toContain(status);
    expect(text).not.toMatch(/4111|upload-/);
    expect(gateway.calls('POST /v1/payout/pix')).toBe(0);
    expect(gateway.ledgerOf('upload-')).toEqual([]);
    for (const path of ['/v1/payouts/upload-0', '/v1/payout-batches/uploaded'])
      expect((await gateway.asOwner('GET', path)).status).toBe(404);
  });

  test('while the same rows without a fault are paid, each once', async () => {
    expect((await gateway.upload('application/json', json(...rows(3)))).status).toBe(202);
    await expect.poll(() => gateway.ledgerOf('upload-').length).toBe(3);
    // A call that met a token which was just replaced is made again, and counts as a call.
    expect(gateway.timesPaid('upload-')).toBe(3);
  });
});
