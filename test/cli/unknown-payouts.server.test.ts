import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { pixPayout } from '../processes/support/oms.js';
import { servedForAllTests } from './support/served.js';

// Half an hour of scans takes seconds.
const { operator, oms } = await servedForAllTests({ pollScale: 0.002 });
// Whatever became of the test before.
afterEach(() => operator.sandbox('DELETE', '/sandbox/faults'));

const ledger = z.object({ payouts: z.array(z.object({ id: z.coerce.string(), times_created: z.int() })) });
const madeAs = async (code: string) =>
  ledger.parse(await operator.sandbox('GET', `/sandbox/ledger?partner_code=${code}`)).payouts;

type Loss = 'dropped-before' | 'accepted-then-dropped';

/** Payouts, started one after the other, whose answer was lost, and that their scans did not find. */
async function unknown(payouts: Readonly<Record<string, Loss>>): Promise<void> {
  for (const [code, tag] of Object.entries(payouts)) {
    await oms.post('/v1/payouts/pix', pixPayout(code, { pix: `sandbox+${tag}@example.com` }));
  }
  for (const code of Object.keys(payouts)) {
    await expect
      .poll(() => oms.state(`/v1/payouts/${code}`))
      .toMatchObject({ status: 'submission_unknown', attention: 'submission_unknown' });
  }
}

/** The service's list holds nothing until its faults are removed. */
async function hideFromTheList(): Promise<void> {
  await operator.sandbox('POST', '/sandbox/faults', {
    ...{ endpoint: 'GET /v1/payouts', times: 1_000 },
    fault: {
      effect: 'none',
      status: 200,
      body: { payouts: [], total_pages: 1, current_page: 1, per_page: 200 },
    },
  });
}

async function fileOf(...rows: string[]): Promise<string> {
  const file = join(operator.dir, 'findings.csv');
  await writeFile(file, rows.join('\n'));
  return file;
}

const resolve = (file: string, ...more: string[]) =>
  operator.cli('payout', 'resolve', '--file', file, '--reason', 'the service has answered', ...more);

test('payouts of unknown outcome are listed for the service, and resolved by the file that comes back', async () => {
  await hideFromTheList();
  await unknown({
    'never-arrived': 'dropped-before',
    'taken-after-all': 'accepted-then-dropped',
    'not-yet-found-out': 'dropped-before',
  });
  await operator.sandbox('DELETE', '/sandbox/faults');
  const codes = ['never-arrived', 'not-yet-found-out', 'taken-after-all'];

  let listed = '';
  const rows = () => parse<{ partner_code: string; since: string }>(listed, { columns: true });
  await expect
    .poll(async () => {
      listed = (await operator.cli('payout', 'unknown', '--csv')).output;
      return rows()
        .map((row) => row.partner_code)
        .sort();
    })
    .toEqual(codes);
  const times = rows().map(({ since }) => since);
  expect(times).toEqual(times.toSorted());
  expect(parse(listed, { columns: true })).toContainEqual(
    expect.objectContaining({ sent_as: 'never-arrived', method: 'pix', value: '25.00', service_id: '' }),
  );

  const [made] = await madeAs('taken-after-all');
  const file = await fileOf(
    'partner_code,sent_as,method,value,since,service_id,nothing_happened',
    'never-arrived,never-arrived,pix,25.00,,,yes',
    `taken-after-all,taken-after-all,pix,25.00,,${made?.id ?? ''},`,
    'not-yet-found-out,not-yet-found-out,pix,25.00,,,',
  );
  const dryRun = await resolve(file, '--dry-run');
  expect(dryRun).toMatchObject({ code: 0 });
  expect(dryRun.output).toContain('2 would be resolved (R$ 50.00)');
  expect(await oms.state('/v1/payouts/never-arrived')).toMatchObject({ status: 'submission_unknown' });

  const resolved = await resolve(file);
  expect(resolved.code, resolved.output).toBe(0);
  expect(resolved.output).toContain('2 resolved (R$ 50.00)');
  expect(await oms.state('/v1/payouts/never-arrived')).toMatchObject({
    attention: 'payout_failed',
    timeline: expect.arrayContaining([
      expect.objectContaining({ reason: 'the service has answered' }),
    ]) as unknown,
  });
  expect(await oms.until('/v1/payouts/taken-after-all', 'done')).toMatchObject({ service_id: made?.id });
  expect(await oms.state('/v1/payouts/not-yet-found-out')).toMatchObject({ status: 'submission_unknown' });

  const again = await resolve(file);
  expect(again).toMatchObject({ code: 0 });
  expect(again.output).toContain('2 known already');
  expect(await madeAs('taken-after-all')).toMatchObject([{ times_created: 1 }]);
  expect(await madeAs('never-arrived')).toEqual([]);
});

test('a finding of another attempt, of another payout or of none is refused, and the others are resolved', async () => {
  await hideFromTheList();
  await unknown({ stale: 'dropped-before', 'mixed-up': 'dropped-before', fine: 'dropped-before' });
  await operator.sandbox('DELETE', '/sandbox/faults');
  await oms.post('/v1/payouts/pix', pixPayout('another', { value: 7 }));
  await oms.until('/v1/payouts/another', 'done');
  const [other] = await madeAs('another');
  const file = await fileOf(
    'partner_code;sent_as;service_id;nothing_happened',
    'stale;stale-r2;;yes',
    `mixed-up;;${other?.id ?? ''};`,
    'no-such-payout;;;yes',
    'fine;;;yes',
  );
  const { code, output } = await resolve(file);
  expect(code).toBe(3);
  expect(output).toContain('1 resolved (R$ 25.00)');
  expect(output).toContain('3 refused');
  for (const left of ['stale', 'mixed-up']) {
    expect(await oms.state(`/v1/payouts/${left}`)).toMatchObject({ status: 'submission_unknown' });
  }
});
