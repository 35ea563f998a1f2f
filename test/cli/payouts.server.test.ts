import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { paymentPage } from '../../src/contract/http/lists.js';
import { payoutState } from '../../src/contract/state.js';
import { pixPayout } from '../processes/support/oms.js';
import { waiting } from '../support/waiting.js';
import { servedForAllTests } from './support/served.js';

const { operator, oms } = await servedForAllTests();

async function fail(...codes: string[]): Promise<void> {
  await Promise.all(
    codes.map(async (code) => {
      await oms.post('/v1/payouts/pix', pixPayout(code, { pix: 'sandbox+error-once@example.com' }));
      await oms.until(`/v1/payouts/${code}`, 'error');
    }),
  );
}

async function requestFile(code: string, more: object = {}): Promise<string> {
  const file = join(operator.dir, `${code}.json`);
  await writeFile(file, JSON.stringify({ ...pixPayout(code), ...more }));
  return file;
}

/** Lists follow a moment after: reads until all of them are in it. */
async function untilListedAsFailed(...codes: string[]): Promise<void> {
  await vi.waitUntil(async () => {
    const { output } = await operator.cli('payout', 'list', '--attention', 'payout_failed', '--json');
    const listed = paymentPage.parse(JSON.parse(output)).payments.map(({ partner_code: code }) => code);
    return codes.every((code) => listed.includes(code));
  }, waiting);
}

test('a payout is started from a file, once, and shown', async () => {
  const file = await requestFile('from-a-file');
  expect((await operator.cli('payout', 'start', file)).code).toBe(0);
  expect((await operator.cli('payout', 'start', file)).code).toBe(0);
  await oms.until('/v1/payouts/from-a-file', 'done');

  const shown = await operator.cli('payout', 'show', 'from-a-file', '--json');
  expect(shown.code).toBe(0);
  expect(payoutState.parse(JSON.parse(shown.output))).toMatchObject({
    status: 'done',
    attempts: [{ number: 1 }],
  });
  expect((await operator.cli('payout', 'show', 'from-a-file')).output).toMatch(/status +done/);
  expect(await operator.sandbox('GET', '/sandbox/ledger?partner_code=from-a-file')).toMatchObject({
    payouts: [{ times_created: 1 }],
  });
});

test('another request under the same code is refused with 3, a wrong one with 2 and the field', async () => {
  await operator.cli('payout', 'start', await requestFile('taken'));
  const other = await operator.cli('payout', 'start', await requestFile('taken', { value: 26 }));
  expect(other).toMatchObject({ code: 3 });
  expect(other.output).toContain('other contents');

  const wrong = await operator.cli('payout', 'start', await requestFile('wrong', { value: 1.005 }));
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.output).toMatch(/^value: /m);
});

test('a failed payout is retried with corrections, and the timeline shows by whom and why', async () => {
  await fail('to-correct');
  const retried = await operator.cli(
    ...['payout', 'retry', 'to-correct', '--set', 'pix=right@example.com', '--reason', 'wrong key'],
  );
  expect(retried.code).toBe(0);
  const state = payoutState.parse(await oms.until('/v1/payouts/to-correct', 'done'));
  expect(state.attempts).toMatchObject([
    { status: 'error' },
    { partner_code: 'to-correct-r2', status: 'done' },
  ]);
  expect(state.timeline).toContainEqual(
    expect.objectContaining({ by: expect.stringMatching(/^cli /) as string, reason: 'wrong key' }),
  );

  const again = await operator.cli('payout', 'retry', 'to-correct', '--reason', 'once more');
  expect(again).toMatchObject({ code: 3 });
  expect(again.output).toContain('nothing to retry');
});

test('failed payouts are counted by a dry run, then retried, reported and shown within 80 columns', async () => {
  const codes = ['bulk-1', 'bulk-2', 'bulk-3'];
  await fail(...codes);
  await untilListedAsFailed(...codes);
  const all = ['payout', 'retry', '--all', '--code', ...codes];

  const dryRun = await operator.cli(...all, '--reason', 'how many', '--dry-run');
  expect(dryRun.code).toBe(0);
  expect(dryRun.output).toMatch(/selected +│ 3 +│ R\$ 75\.00/);
  expect(dryRun.output).toMatch(/service_error .* 3 .* R\$ 75\.00/);
  expect(await oms.state('/v1/payouts/bulk-1')).toMatchObject({ status: 'error' });

  const options = ['--id', 'bulk-of-cli', '--reason', 'the bank is back', '--per-second', '50', '--follow'];
  const done = await operator.cli(...all, ...options);
  expect(done.code, done.output).toBe(0);
  expect(done.output).toMatch(/done +│ 3 +│ R\$ 75\.00/);
  const report = await operator.cli('bulk-retry', 'report', 'bulk-of-cli');
  for (const code of codes) expect(report.output).toMatch(new RegExp(`${code} +│ done +│ R\\$ 25\\.00`));
  const shown = await operator.cli('bulk-retry', 'show', 'bulk-of-cli');
  for (const { output } of [dryRun, done, report, shown]) {
    expect(Math.max(...output.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  }
  const list = await operator.cli('bulk-retry', 'list');
  expect(list).toMatchObject({ code: 0, output: expect.stringContaining('No bulk retry runs') as string });
  const csv = await operator.cli('bulk-retry', 'report', 'bulk-of-cli', '--csv');
  expect(csv.output.trimEnd().split('\n')).toHaveLength(4);
  expect(await operator.cli('bulk-retry', 'pause', 'bulk-of-cli', '--reason', 'late')).toMatchObject({
    code: 3,
  });
});

test('retries by the thousand need a reason and filters that can be used, named by their options', async () => {
  const noReason = await operator.cli('payout', 'retry', '--all');
  expect(noReason).toMatchObject({ code: 2 });
  expect(noReason.output).toContain('--reason');
  const wrong = ['--value-from', 'much', '--cause', 'weather', '--canary', '-1'];
  const refused = await operator.cli('payout', 'retry', '--all', '--reason', 'x', ...wrong);
  expect(refused).toMatchObject({ code: 2 });
  for (const flag of ['--value-from', '--cause', '--canary']) expect(refused.output).toContain(flag);
  expect((await operator.cli('bulk-retry', 'show', 'nobody')).code).toBe(3);
});

test('a failed payout is abandoned', async () => {
  await fail('to-abandon');
  const abandoned = await operator.cli(
    'payout',
    'abandon',
    'to-abandon',
    '--reason',
    'paid by hand',
    '--json',
  );
  expect(payoutState.parse(JSON.parse(abandoned.output))).toMatchObject({
    status: 'abandoned',
    attention: null,
  });
});

test('a known outcome can not be resolved', async () => {
  await fail('known-outcome');
  const refused = await operator.cli(
    'payout',
    'resolve',
    'known-outcome',
    '--nothing-happened',
    '--reason',
    'a guess',
  );
  expect(refused).toMatchObject({ code: 3 });
});

test('a payment that does not exist ends with 3', async () => {
  expect(await operator.cli('payout', 'show', 'nobody')).toMatchObject({ code: 3 });
  expect(await operator.cli('order', 'show', 'nobody')).toMatchObject({ code: 3 });
});
