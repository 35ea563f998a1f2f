import { parse } from 'csv-parse/sync';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { pixPayout } from '../processes/support/oms.js';
import { waiting } from '../support/waiting.js';
import { servedForAllTests } from './support/served.js';

const { stack, operator, oms } = await servedForAllTests();
// Whatever became of the test before.
afterEach(() => operator.sandbox('DELETE', '/sandbox/faults'));

const text = z.string().nullable();
const line = z.looseObject({
  ...{ partner_code: text, attempt: z.int().nullable(), service_id: text },
  ...{ status: text, our_status: text, difference: text },
});
type Line = z.infer<typeof line>;
const page = z.looseObject({
  payouts: z.array(z.looseObject({ id: z.int(), partner_code: z.string(), claimed_at: z.string() })),
});

/** What is a minute old is compared: while it runs it is a minute later. */
async function exported(...args: string[]) {
  vi.setSystemTime(Date.now() + 60_000);
  try {
    return await operator.cli('payout', 'export', ...args);
  } finally {
    vi.useRealTimers();
  }
}
const today = ['--from', '2020-01-01'];

/** The sandbox as the service's own site uses it, past this program. */
async function service(method: 'GET' | 'POST', path: string, body?: object): Promise<unknown> {
  const { url } = stack.sandbox;
  const { clientId, clientSecret } = stack.credentials;
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
  const auth = await fetch(`${url}/v1/auth`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
  });
  const { token } = z.object({ token: z.string() }).parse(await auth.json());
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.json();
}

async function done(code: string, options: { pix?: string; value?: number } = {}): Promise<void> {
  await oms.post('/v1/payouts/pix', pixPayout(code, options));
  await oms.until(`/v1/payouts/${code}`, 'done');
}

async function retried(code: string): Promise<void> {
  await oms.post('/v1/payouts/pix', pixPayout(code, { pix: 'sandbox+error-once@example.com', value: 10.1 }));
  await oms.until(`/v1/payouts/${code}`, 'error');
  await operator.cli('payout', 'retry', code, '--reason', 'the key works again');
  await oms.until(`/v1/payouts/${code}`, 'done');
}

async function answerListWith(fault: object): Promise<void> {
  await operator.sandbox('POST', '/sandbox/faults', { endpoint: 'GET /v1/payouts', times: 1_000, fault });
}

/** Exports until search, which is a moment behind, shows all payouts as they are. */
function settledExport(wanted: (lines: readonly Line[]) => boolean, ...args: string[]) {
  return vi.waitUntil(async () => {
    const { code, output } = await exported('--json', ...today, ...args);
    expect(code, output).toBe(0);
    const objects = output
      .trim()
      .split('\n')
      .map((json) => z.record(z.string(), z.unknown()).parse(JSON.parse(json)));
    const lines = objects.slice(0, -1).map((each) => line.parse(each));
    return wanted(lines) && { lines, totals: objects.at(-1)?.totals };
  }, waiting);
}

beforeAll(async () => {
  await done('plain', { value: 25 });
  await done('hidden', { pix: 'sandbox+unlisted@example.com', value: 7.5 });
  await retried('retried');
  await retried('paid-twice');
  await service('POST', '/v1/payout/pix', {
    ...{
      partner_code: 'made-elsewhere',
      value: 1_000.01,
      pix: 'sandbox+done-at-once@example.com',
      kind: 'personal',
    },
    ...{ first_name: 'Ana', last_name: 'Lima', document: '52998224725', fee_payer: 'merchant' },
    notification_url: 'https://oms.example/postbacks',
  });
  const { payouts } = page.parse(await service('GET', '/v1/payouts?per_page=200'));
  const first = payouts.find(({ partner_code: code }) => code === 'paid-twice');
  await operator.sandbox('POST', `/sandbox/payouts/${String(first?.id)}/status`, { status: 'done' });
});

test('each payout of the list is a line with what is known of it here, and each difference is named', async () => {
  const { lines, totals } = await settledExport((found) =>
    ['plain', 'hidden', 'retried', 'paid-twice'].every((code) =>
      found.some((each) => each.partner_code === code && each.our_status === 'done'),
    ),
  );
  const shown = lines.map((each) => [
    each.partner_code,
    each.attempt,
    each.status,
    each.our_status,
    each.difference,
  ]);
  expect(shown).toHaveLength(7);
  expect(shown).toEqual(
    expect.arrayContaining([
      ['plain', 1, 'done', 'done', null],
      ['retried', 1, 'error', 'done', null],
      ['retried', 2, 'done', 'done', null],
      ['paid-twice', 1, 'done', 'done', 'two_attempts_done'],
      ['paid-twice', 2, 'done', 'done', 'two_attempts_done'],
      ['made-elsewhere', null, 'done', null, 'not_ours'],
      ['hidden', null, null, 'done', 'only_ours'],
    ]),
  );
  expect(lines.find(({ partner_code: code }) => code === 'plain')).toMatchObject({
    ...{ value: '25.00', fee: '0.50', tax: '0.00', total: '25.50', provider: 'sandbox' },
    started_by: expect.any(String) as unknown,
    claimed_at: expect.stringMatching(/^20/) as unknown,
    paid_at: expect.stringMatching(/^20/) as unknown,
  });
  expect(totals).toEqual({
    listed: { count: 6, value: '1065.41', fee: '3.00', tax: '0.00', total: '1068.41' },
    by_status: {
      done: { count: 5, value: '1055.31', fee: '2.50', tax: '0.00', total: '1057.81' },
      error: { count: 1, value: '10.10', fee: '0.50', tax: '0.00', total: '10.60' },
      not_listed: { count: 1, value: '7.50', fee: '0.00', tax: '0.00', total: '0.00' },
    },
    differences: {
      two_attempts_done: { count: 2, value: '20.20' },
      not_ours: { count: 1, value: '1000.01' },
      only_ours: { count: 1, value: '7.50' },
      another_value: { count: 0, value: '0.00' },
      another_status: { count: 0, value: '0.00' },
    },
    unreadable_amounts: 0,
  });
});

test('as CSV it has the same lines, and the totals stand beside it as a table', async () => {
  const { code, output } = await exported('--csv', ...today);
  expect(code).toBe(0);
  const [csv = '', table = ''] = output.split(/(?=┌)/);
  const rows = parse<Record<string, string>>(csv, { columns: true });
  expect(rows).toHaveLength(7);
  expect(rows).toContainEqual(
    expect.objectContaining({ partner_code: 'retried', attempt: '2', value: '10.10', difference: '' }),
  );
  expect(table).toMatch(/all listed +│ +6 +│ +1065\.41/);
});

test('another value or status at the service, and an amount that is none, are named, and exit code 1 says so', async () => {
  const list = page.parse(await service('GET', '/v1/payouts?per_page=200'));
  const changed: Record<string, object> = {
    plain: { value: 25.01 },
    'retried-r2': { status: 'processing' },
    'made-elsewhere': { tax: 0.125 },
  };
  const payouts = list.payouts.map((each) => ({ ...each, ...changed[each.partner_code] }));
  await answerListWith({ effect: 'none', status: 200, body: { ...list, payouts } });
  const { code, output } = await exported('--csv', ...today);
  await operator.sandbox('DELETE', '/sandbox/faults');
  expect(code).toBe(1);
  expect(output).toMatch(/\nplain,1,\d+,25\.01,.*,another_value\r\n/);
  expect(output).toMatch(/\nretried,2,.*,processing,done,,.*,another_status\r\n/);
  expect(output).toMatch(/\nmade-elsewhere,,\d+,1000\.01,0\.50,unreadable,/);
  expect(output).toContain("1 amounts of the service can't be read exactly");
});

test('a list that breaks off gives what was read, no totals and exit code 1', async () => {
  const list = page.parse(await service('GET', '/v1/payouts?per_page=200'));
  await operator.sandbox('POST', '/sandbox/faults', {
    ...{ endpoint: 'GET /v1/payouts', times: 1 },
    fault: { effect: 'none', status: 200, body: { ...list, total_pages: 2, current_page: 1 } },
  });
  await answerListWith({ effect: 'none', status: 503 });
  const { code, output } = await exported('--json', ...today);
  await operator.sandbox('DELETE', '/sandbox/faults');
  expect(code).toBe(1);
  expect(output).toContain('could not be read completely');
  expect(output).not.toContain('totals":');
});

test('of a list that has the oldest first it says how many records it read, and nothing of what they come to', async () => {
  const list = page.parse(await service('GET', '/v1/payouts?per_page=200'));
  const [first] = list.payouts;
  const claimed = (daysAgo: number) => ({
    ...{ ...first, id: 900_000 - daysAgo },
    claimed_at: new Date(Date.now() - daysAgo * 86_400_000).toISOString(),
  });
  const answer = (current_page: number, payouts: object[]) =>
    operator.sandbox('POST', '/sandbox/faults', {
      ...{ endpoint: 'GET /v1/payouts', times: 1 },
      fault: { effect: 'none', status: 200, body: { ...list, payouts, total_pages: 2, current_page } },
    });
  await answer(1, [claimed(40), claimed(30)]);
  await answer(2, list.payouts);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  const { code, output } = await exported('--json', '--from', yesterday);
  expect(code, output).toBe(1);
  expect(output).toContain('the newest are not first in it, as was asked for. It was read for 8 records.');
  expect(output).not.toContain('totals":');
});

test.each([
  [['--from', 'yesterday'], '--from <date>'],
  [['--from', '2026-02-30'], '--from <date>'],
  [['--from', '2020-01-01', '--to', '2020-13-01'], '--to <date>'],
  [['--from', '2020-01-02', '--to', '2020-01-01'], '--from must be before --to'],
  [['--from', '2020-01-02T10:00:00'], '--from <date>'],
  [[], '--from <date>'],
])('%j is refused, and the field at fault is named', async (args, named) => {
  const { code, output } = await exported(...args);
  expect(code).toBe(2);
  expect(output).toContain(named);
});

test('a period has what was claimed in it, and nothing else', async () => {
  const { code, output } = await exported('--json', '--from', '2020-01-01', '--to', '2020-02-01');
  expect(code).toBe(0);
  expect(JSON.parse(output)).toMatchObject({ totals: { listed: { count: 0, value: '0.00' } } });
});

const yes = () => true;
const no = () => false;

test('nothing of an export stays in Temporal', async ({ onTestFinished }) => {
  const { taskQueue, client } = stack.server;
  const { workflow } = client;
  const pagesRead = () => stack.sandbox.ledger().calls['GET /v1/payouts'] ?? 0;
  const before = pagesRead();
  const { code, output } = await exported('--json', ...today);
  expect(code, output).toBe(0);
  expect(pagesRead()).toBe(before + 1);

  // Search shows what it shows of this one, and no longer of what came before it.
  const workflowId = `payout-list-${taskQueue}`;
  await workflow.start('payoutList', { workflowId, taskQueue: `${taskQueue}-of-nobody` });
  onTestFinished(() =>
    workflow
      .getHandle(workflowId)
      .terminate()
      .then(() => undefined),
  );
  const query = `WorkflowType = 'payoutList' AND TaskQueue IN ('${taskQueue}', '${taskQueue}-of-nobody')`;
  const listed = async () => {
    const ids: string[] = [];
    for await (const { workflowId: id, runId } of workflow.list({ query })) {
      // On a busy server search may go on showing what is deleted.
      const isThere = await workflow.getHandle(id, runId).describe().then(yes, no);
      if (isThere) ids.push(id);
    }
    return ids;
  };
  await expect.poll(listed).toEqual([workflowId]);
});
