import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { paymentPage } from '../../src/contract/http/lists.js';
import { payoutState } from '../../src/contract/state.js';
import { pixPayout } from '../processes/support/oms.js';
import { startedForAllTests } from '../processes/support/all-tests.js';

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

/** Lists follow a moment after: asks until all of them are in it. */
async function untilListedAsFailed(...codes: string[]): Promise<void> {
  for (;;) {
    const { output } = await home.cli('payout', 'list', '--attention', 'payout_failed', '--json');
    const listed = paymentPage.parse(JSON.parse(output)).payments.map(({ partner_code: code }) => code);
    if (codes.every((code) => listed.includes(code))) return;
  }
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

test('a failed payout is retried with corrections, and the timeline says by whom and why', async () => {
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

  const again = await home.cli('payout', 'retry', 'to-correct');
  expect(again).toMatchObject({ code: 3 });
  expect(again.output).toContain('nothing to retry');
});

test('all failed payouts are only listed at first, and retried with --yes', async () => {
  const codes = ['bulk-1', 'bulk-2', 'bulk-3'];
  await fail(...codes);
  await untilListedAsFailed(...codes);

  const dryRun = await home.cli('payout', 'retry', '--all');
  expect(dryRun.code).toBe(0);
  for (const code of codes) expect(dryRun.output).toContain(code);
  expect(dryRun.output).toContain('Add --yes to do it');
  expect(await oms.state('/v1/payouts/bulk-1')).toMatchObject({ status: 'error' });

  const done = await home.cli('payout', 'retry', '--all', '--yes', '--json', '--reason', 'the bank is back');
  expect(done.code).toBe(0);
  const { outcomes } = z
    .object({ outcomes: z.array(z.object({ partner_code: z.string(), outcome: z.string() })) })
    .parse(JSON.parse(done.output));
  expect(outcomes.map(({ partner_code: code, outcome }) => `${code} ${outcome}`).sort()).toEqual(
    codes.map((code) => `${code} retried`),
  );
  for (const code of codes) await oms.until(`/v1/payouts/${code}`, 'done');
});

test('a failed payout is abandoned', async () => {
  await fail('to-abandon');
  const abandoned = await home.cli('payout', 'abandon', 'to-abandon', '--reason', 'paid by hand', '--json');
  expect(payoutState.parse(JSON.parse(abandoned.output))).toMatchObject({
    status: 'abandoned',
    attention: null,
  });
});

test('what is not in doubt can not be resolved', async () => {
  await fail('no-doubt');
  const refused = await home.cli(
    'payout',
    'resolve',
    'no-doubt',
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
