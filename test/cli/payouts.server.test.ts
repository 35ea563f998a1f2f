import { randomBytes, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkflowNotFoundError } from '@temporalio/client';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { paymentPage } from '../../src/contract/http/lists.js';
import { payoutBatchState } from '../../src/contract/payout-batch.js';
import { reconciliationReport } from '../../src/contract/reconciliation.js';
import { payoutState } from '../../src/contract/state.js';
import { openWhatIsThere } from '../../src/health/prove-payload-keys.js';
import { checkout, pixPayout } from '../processes/support/oms.js';
import { testPayloadKeys } from '../support/temporal-data-converter.js';
import { waiting } from '../support/waiting.js';
import { run } from './support/command-line.js';
import { servedForAllTests } from './support/served.js';

const { operator, oms, stack } = await servedForAllTests();

const failing = { pix: 'sandbox+error-once@example.com' };

async function fail(...codes: string[]): Promise<void> {
  for (const code of codes) await oms.post('/v1/payouts/pix', pixPayout(code, failing));
  for (const code of codes) await oms.until(`/v1/payouts/${code}`, 'error');
}

async function fileOf(name: string, content: object | string): Promise<string> {
  const file = join(operator.dir, name);
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

/** The codes that begin so of the payments that a command lists, page after page. */
async function listed(beginning: string, ...args: string[]): Promise<string[]> {
  const codes: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: string[] = cursor === '' ? [] : ['--cursor', cursor];
    const { code, output } = await operator.cli(...args, '--json', ...page);
    expect(code, output).toBe(0);
    const { next_cursor: next, payments } = paymentPage.parse(JSON.parse(output));
    codes.push(...payments.map(({ partner_code: listedCode }) => listedCode ?? ''));
    cursor = next;
  }
  return codes.filter((code) => code.startsWith(beginning)).sort();
}

/** Lists follow a moment after. */
const untilListed = (count: number, ...args: Parameters<typeof listed>) =>
  vi.waitUntil(async () => (await listed(...args)).length >= count, waiting);

test('a payout is started from a file, once, and shown; other contents under its code are refused with 3', async () => {
  const file = await fileOf('from-a-file.json', pixPayout('from-a-file'));
  for (const _ of [1, 2]) expect((await operator.cli('payout', 'start', file)).code).toBe(0);
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
  const changed = await fileOf('changed.json', pixPayout('from-a-file', { value: 26 }));
  const other = await operator.cli('payout', 'start', changed);
  expect(other).toMatchObject({ code: 3 });
  expect(other.output).toContain('other contents');
});

test('a failed payout is retried with corrections, and the timeline shows by whom and why', async () => {
  await fail('to-correct');
  const decision = ['--set', 'pix=right@example.com', '--reason', 'a test'];
  const retried = await operator.cli('payout', 'retry', 'to-correct', ...decision);
  expect(retried.code).toBe(0);
  const state = payoutState.parse(await oms.until('/v1/payouts/to-correct', 'done'));
  expect(state.attempts).toMatchObject([
    { status: 'error' },
    { partner_code: 'to-correct-r2', status: 'done' },
  ]);
  expect(state.timeline).toContainEqual(
    expect.objectContaining({ by: expect.stringMatching(/^cli /) as string, reason: 'a test' }),
  );
});

test('failed payouts are counted by a dry run, then retried, reported and shown within 80 columns', async () => {
  const codes = ['bulk-1', 'bulk-2', 'bulk-3'];
  await fail(...codes);
  await untilListed(3, 'bulk-', 'payout', 'list', '--attention', 'payout_failed');
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
  for (const { output } of [dryRun, done, report, shown])
    expect(output.split('\n').filter((line) => line.length > 80)).toEqual([]);
  const list = await operator.cli('bulk-retry', 'list');
  expect(list).toMatchObject({ code: 0, output: expect.stringContaining('No bulk retry runs') as string });
  const csv = await operator.cli('bulk-retry', 'report', 'bulk-of-cli', '--csv');
  expect(csv.output.trimEnd().split('\n')).toHaveLength(4);
  const late = await operator.cli('bulk-retry', 'pause', 'bulk-of-cli', '--reason', 'late');
  expect(late).toMatchObject({ code: 3 });
});

describe('a batch', () => {
  const codes = Array.from({ length: 10 }, (_, i) => `wage-${String(i)}x`);
  const csvOf = (names: readonly string[]) =>
    ['method', ...Object.keys(pixPayout(''))].join(',') +
    names.map((code) => `\n${['pix', ...Object.values(pixPayout(code))].join(',')}`).join('');

  test('of a CSV file is started once, and shown with the outcome of each; another file is not taken for it', async () => {
    const file = await fileOf('wages.csv', csvOf(codes));
    const first = await operator.cli('batch', 'start', file, '--json');
    expect(first.code).toBe(0);
    expect(payoutBatchState.parse(JSON.parse(first.output))).toMatchObject({
      ...{ batch_id: 'wages', status: 'finished', counts: { started: 10, pending: 0 } },
    });
    expect((await operator.cli('batch', 'start', file)).code).toBe(0);
    for (const code of codes)
      await expect
        .poll(() => operator.sandbox('GET', `/sandbox/ledger?partner_code=${code}`))
        .toMatchObject({ payouts: [{ times_created: 1 }] });
    const shown = await operator.cli('batch', 'show', 'wages');
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.output).toContain('Batch wages: finished, 10 payouts.');
    const other = await fileOf('other.csv', csvOf(['o-1x']));
    expect((await operator.cli('batch', 'start', other, '--batch-id', 'wages')).code).toBe(3);
  });

  test('is started where nothing is yet', async () => {
    const queue = `empty-${randomUUID()}`;
    const payouts = [{ method: 'pix', ...pixPayout('early') }];
    const file = await fileOf('early.json', { batch_id: 'early', payouts });
    const own = { ...foreign, PAYMENTS_TASK_QUEUE: queue, PAYLOAD_KEYS: testPayloadKeys };
    expect(await run(['batch', 'start', file, '--no-wait'], own)).toMatchObject({ code: 0 });
    const batch = stack.server.client.workflow.getHandle('batch-early-1');
    expect((await batch.describe()).taskQueue).toBe(queue);
    await batch.terminate();
  });
});

test('the reconciliation is run now and printed', async () => {
  const { code, output } = await operator.cli('reconcile', '--full', '--json');
  expect(code).toBe(0);
  expect(reconciliationReport.parse(JSON.parse(output))).toMatchObject({
    ...{ full: true, orphans: { count: 0 }, mismatches: { count: 0 } },
  });
  expect((await operator.cli('reconcile')).output).toContain('changed');
});

describe('a list', () => {
  const beforeAllOfThem = new Date().toISOString();

  beforeAll(async () => {
    const payouts = [
      pixPayout('listed-1', { value: 31.07 }),
      pixPayout('listed-2', { ...failing, value: 31.08 }),
      pixPayout('listed-3', { ...failing, value: 31.09 }),
    ].map((payout) => ({ method: 'pix', ...payout }));
    await oms.post('/v1/payout-batches', { batch_id: 'listed', payouts });
    await oms.post('/v1/orders/checkout', checkout('listed-order'));
    await fail('listed-alone');
    await untilListed(3, 'listed-', 'payout', 'list', '--status', 'error');
    await untilListed(1, 'listed-', 'payout', 'list', '--status', 'done');
    await untilListed(1, 'listed-', 'order', 'list', '--kind', 'hosted_checkout');
  });

  test.for([
    ['payout --batch-id listed', '1 2 3'],
    ['payout --batch-id listed --limit 1', '1 2 3'],
    ['payout --batch-id listed --status error', '2 3'],
    ['payout --batch-id none', ''],
    ['payout --cause service_error', '2 3 alone'],
    ['payout --cause returned', ''],
    ['payout --value-from 31.08 --value-to 31.09', '2 3'],
    ['payout --started-after 2031-01-01T00:00:00Z', ''],
    [`payout --started-before ${beforeAllOfThem}`, ''],
    ['order --kind hosted_checkout', 'order'],
    ['order --kind card_order', ''],
  ] as const)('%s holds %s', async ([command, names]) => {
    const [noun = '', ...filter] = command.split(' ');
    const codes = names.split(' ').flatMap((name) => (name === '' ? [] : [`listed-${name}`]));
    expect(await listed('listed-', noun, 'list', ...filter)).toEqual(codes);
  });

  test('is the same over HTTP; the cursor of a batch is none of all payouts, and none of another batch', async () => {
    const filtered = await oms.get('/v1/payouts?batch_id=listed&cause=service_error&value_from=31.09');
    expect(paymentPage.parse(filtered.body).payments).toMatchObject([
      { partner_code: 'listed-3', status: 'error', cause: 'service_error' },
    ]);
    const { body } = await oms.get('/v1/payouts?batch_id=listed&limit=1');
    const cursor = `limit=1&cursor=${String(paymentPage.parse(body).next_cursor)}`;
    expect(await oms.get(`/v1/payouts?batch_id=listed&${cursor}`)).toMatchObject({ status: 200 });
    for (const filter of ['', 'batch_id=another&'])
      expect(await oms.get(`/v1/payouts?${filter}${cursor}`)).toMatchObject({
        ...{ status: 400, body: { errors: [{ field: 'cursor' }] } },
      });
  });
});

const { address, client, namespace, taskQueue } = stack.server;
/** With other keys than those of the deployment. */
const foreign = {
  ...{ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, PAYMENTS_TASK_QUEUE: taskQueue },
  ...{ PAYLOAD_KEYS: `other:${randomBytes(32).toString('base64')}`, DATA_DIR: operator.dir },
};

describe('with other keys than those of the deployment', () => {
  beforeAll(async () => {
    await oms.post('/v1/payouts/pix', pixPayout('known'));
    const opened = () => openWhatIsThere(client, taskQueue);
    await vi.waitUntil(async () => (await opened()).includes('the latest payment'), waiting);
  });

  test('a start is refused, and nothing was started', async () => {
    const file = await fileOf('foreign.json', pixPayout('foreign'));
    const { code, output } = await run(['payout', 'start', file], foreign);
    expect(output).toMatch(/PAYLOAD_KEYS do not open what is there: the latest payment, \w+-/);
    expect(code).toBe(2);
    const started = client.workflow.getHandle('payout-foreign').describe();
    await expect(started).rejects.toThrow(WorkflowNotFoundError);
  });

  test.for([
    'payout abandon known --reason test',
    'payout retry --all --reason test',
    'webhook resend payout-known',
    'reconcile',
  ])('%s is refused before it is sent', async (words) => {
    const { code, output } = await run(words.split(' '), foreign);
    expect(output).toMatch(/PAYLOAD_KEYS do(es)? not /);
    expect(code).toBe(2);
  });
});
