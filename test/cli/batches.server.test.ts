import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { payoutBatchState } from '../../src/contract/payout-batch.js';
import { reconciliationReport } from '../../src/contract/reconciliation.js';
import { pixPayout } from '../processes/support/oms.js';
import { servedForAllTests } from './support/served.js';

const { operator } = await servedForAllTests();

async function csvFile(name: string, codes: readonly string[], more: object = {}): Promise<string> {
  const rows = codes.map((code) => ({ method: 'pix', ...pixPayout(code), ...more }));
  const lines = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
  const file = join(operator.dir, name);
  await writeFile(file, lines.map((cells) => cells.join(',')).join('\n'));
  return file;
}

const codes = Array.from({ length: 30 }, (_, i) => `wage-${String(i)}x`);

test('a CSV file of payouts is started once, and shown with the outcome of each', async () => {
  const file = await csvFile('wages.csv', codes);
  const first = await operator.cli('batch', 'start', file, '--json');
  expect(first.code).toBe(0);
  expect(payoutBatchState.parse(JSON.parse(first.output))).toMatchObject({
    batch_id: 'wages',
    status: 'finished',
    counts: { started: 30, pending: 0 },
  });
  expect((await operator.cli('batch', 'start', file)).code).toBe(0);
  for (const code of codes) {
    await expect
      .poll(() => operator.sandbox('GET', `/sandbox/ledger?partner_code=${code}`))
      .toMatchObject({ payouts: [{ times_created: 1 }] });
  }
  const shown = await operator.cli('batch', 'show', 'wages');
  expect(shown).toMatchObject({ code: 0 });
  expect(shown.output).toContain('Batch wages: finished, 30 payouts.');
});

test('a file with faults is refused by row, another file under the same id as well', async () => {
  const faulty = await operator.cli(
    'batch',
    'start',
    await csvFile('faulty.csv', ['f-1x', 'f-2x'], { pix: 'no key' }),
  );
  expect(faulty.code).toBe(2);
  expect(faulty.output).toMatch(/line 2, pix: [\s\S]*line 3, pix: /);
  expect((await operator.cli('batch', 'show', 'faulty')).code).toBe(3);

  const other = await csvFile('other.csv', ['o-1x']);
  expect((await operator.cli('batch', 'start', other, '--batch-id', 'wages')).code).toBe(3);
});

test('the reconciliation is run now and printed', async () => {
  const { code, output } = await operator.cli('reconcile', '--full', '--json');
  expect(code).toBe(0);
  expect(reconciliationReport.parse(JSON.parse(output))).toMatchObject({
    full: true,
    orphans: { count: 0 },
    mismatches: { count: 0 },
  });
  expect((await operator.cli('reconcile')).output).toContain('changed');
});
