import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { paymentPage } from '../../src/contract/http/lists.js';
import { payoutState } from '../../src/contract/state.js';
import { pixPayout } from '../processes/support/oms.js';
import { startedForAllTests } from '../processes/support/all-tests.js';
import { waiting } from '../support/waiting.js';

const { home, oms } = await startedForAllTests();

async function fail(...codes: string[]): Promise<void> {
  await Promise.all(
    codes.map(async (code) => {
      await oms.post('/v1/payouts/pix', pixPayout(code, { pix: 'sandbox+error-once@example.com' }));
      await oms.until(`/v1/payouts/${code}`, 'error');
    }),
  );
}

async function requestFile(code: string, more: object = {}): Promise<string> {
  const file = join(home.env.DATA_DIR ?? '', `${code}.json`);
  await writeFile(file, JSON.stringify({ ...pixPayout(code), ...more }));
  return file;
}

/** Lists follow a moment after: reads until all of them are in it. */
async function untilListedAsFailed(...codes: string[]): Promise<void> {
  await vi.waitUntil(async () => {
    const { output } = await home.cli('payout', 'list', '--attention', 'payout_failed', '--json');
    const listed = paymentPage.parse(JSON.parse(output)).payments.map(({ partner_code: code }) => code);
    return codes.every((code) => listed.includes(code));
  }, waiting);
}

test('a payout is started from a file, once, and shown', async () => {
  const file = await requestFile('from-a-file');
  expect((await home.cli('payout', 'start', file)).code).toBe(0);
  expect((await home.cli('payout', 'start', file)).code).toBe(0);
  await oms.until('/v1/payouts/from-a-file', 'done');

  const shown = await home.cli('payout', 'show', 'from-a-file', '--json');
  expect(shown.code).toBe(0);
  expect(payoutState.parse(JSON.parse(shown.output))).toMatchObject({
    status: 'done',
    attempts: [{ number: 1 }],
  });
  expect((await home.cli('payout', 'show', 'from-a-file')).output).toMatch(/status +done/);
  expect(await home.sandbox('GET', '/sandbox/ledger?partner_code=from-a-file')).toMatchObject({
    payouts: [{ times_created: 1 }],
  });
});

test('another request under the same code is refused with 3, a wrong one with 2 and the field', async () => {
  await home.cli('payout', 'start', await requestFile('taken'));
  const other = await home.cli('payout', 'start', await requestFile('taken', { value: 26 }));
  expect(other).toMatchObject({ code: 3 });
  expect(other.output).toContain('other contents');

  const wrong = await home.cli('payout', 'start', await requestFile('wrong', { value: 1.005 }));
  expect(wrong).toMatchObject({ code: 2 });
  expect(wrong.output).toMatch(/^value: /m);
});

test('a failed payout is retried with corrections, and the timeline shows by whom and why', async () => {
  await fail('to-correct');
  const retried = await home.cli(
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

  const again = await home.cli('payout', 'retry', 'to-correct', '--reason', 'once more');
  expect(again).toMatchObject({ code: 3 });
  expect(again.output).toContain('nothing to retry');
});

test('failed payouts are counted by a dry run, then retried, reported and shown within 80 columns', async () => {
  const codes = ['bulk-1', 'bulk-2', 'bulk-3'];
  await fail(...codes);
  await untilListedAsFailed(...codes);
  const all = ['payout', 'retry', '--all', '--code', ...codes];

  const dryRun = await home.cli(...all, '--reason', 'how many', '--dry-run');
  expect(dryRun.code).toBe(0);
  expect(dryRun.output).toMatch(/selected +│ 3 +│ R\$ 75\.00/);
  expect(dryRun.output).toMatch(/service_error .* 3 .* R\$ 75\.00/);
  expect(await oms.state('/v1/payouts/bulk-1')).toMatchObject({ status: 'error' });

  const options = ['--id', 'bulk-of-cli', '--reason', 'the bank is back', '--per-second', '50', '--follow'];
  const done = await home.cli(...all, ...options);
  expect(done.code, done.output).toBe(0);
  expect(done.output).toMatch(/done +│ 3 +│ R\$ 75\.00/);
  const report = await home.cli('bulk-retry', 'report', 'bulk-of-cli');
  for (const code of codes) expect(report.output).toMatch(new RegExp(`${code} +│ done +│ R\\$ 25\\.00`));
  const shown = await home.cli('bulk-retry', 'show', 'bulk-of-cli');
  for (const { output } of [dryRun, done, report, shown]) {
    expect(Math.max(...output.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  }
  const csv = await home.cli('bulk-retry', 'report', 'bulk-of-cli', '--csv');
  expect(csv.output.trimEnd().split('\n')).toHaveLength(4);
  expect(await home.cli('bulk-retry', 'pause', 'bulk-of-cli', '--reason', 'late')).toMatchObject({ code: 3 });
});

test('retries by the thousand need a reason and filters that can be used, named by their options', async () => {
  const noReason = await home.cli('payout', 'retry', '--all');
  expect(noReason).toMatchObject({ code: 2 });
  expect(noReason.output).toContain('--reason');
  const wrong = ['--value-from', 'much', '--cause', 'weather', '--canary', '-1'];
  const refused = await home.cli('payout', 'retry', '--all', '--reason', 'x', ...wrong);
  expect(refused).toMatchObject({ code: 2 });
  for (const flag of ['--value-from', '--cause', '--canary']) expect(refused.output).toContain(flag);
  expect((await home.cli('bulk-retry', 'show', 'nobody')).code).toBe(3);
});

test('a failed payout is abandoned', async () => {
  await fail('to-abandon');
  const abandoned = await home.cli('payout', 'abandon', 'to-abandon', '--reason', 'paid by hand', '--json');
  expect(payoutState.parse(JSON.parse(abandoned.output))).toMatchObject({
    status: 'abandoned',
    attention: null,
  });
});

test('a known outcome can not be resolved', async () => {
  await fail('known-outcome');
  const refused = await home.cli(
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
  expect(await home.cli('payout', 'show', 'nobody')).toMatchObject({ code: 3 });
  expect(await home.cli('order', 'show', 'nobody')).toMatchObject({ code: 3 });
});
