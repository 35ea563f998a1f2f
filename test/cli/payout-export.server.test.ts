import { parse } from 'csv-parse/sync';
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { pixPayout } from '../processes/support/oms.js';
import { waiting } from '../support/waiting.js';
import { servedForAllTests } from './support/served.js';

const { stack, operator, oms } = await servedForAllTests();
// Whatever became of the test before.
afterEach(() => operator.sandbox('DELETE', '/sandbox/faults'));

const page = z.looseObject({ payouts: z.array(z.looseObject({ id: z.int(), partner_code: z.string() })) });
const line = z.looseObject({ partner_code: z.string().nullable(), our_status: z.string().nullable() });
const now = Date.now.bind(Date);

/** What is a minute old is compared: the clock is a minute fast while it runs. */
async function exported(format: '--json' | '--csv', from = '2020-01-01', ...more: string[]) {
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 60_000);
  try {
    return await operator.cli('payout', 'export', format, '--from', from, ...more);
  } finally {
    clock.mockRestore();
  }
}

/** The list as the service itself shows it, past this program. */
async function serviceList() {
  const { credentials, sandbox } = stack;
  const basic = Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString('base64');
  const headers = { authorization: `Basic ${basic}` };
  const auth = await fetch(`${sandbox.url}/v1/auth`, { method: 'POST', headers });
  const { token } = z.object({ token: z.string() }).parse(await auth.json());
  const answer = await fetch(`${sandbox.url}/v1/payouts?per_page=200`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return page.parse(await answer.json());
}

const answerListWith = (fault: object, times = 1_000) =>
  operator.sandbox('POST', '/sandbox/faults', { endpoint: 'GET /v1/payouts', times, fault });

beforeAll(async () => {
  for (const code of ['plain', 'hidden']) {
    const pix = code === 'hidden' ? 'sandbox+unlisted@example.com' : 'ana.lima@example.com';
    await oms.post('/v1/payouts/pix', pixPayout(code, { pix }));
    await oms.until(`/v1/payouts/${code}`, 'done');
  }
});

test('each payout of the list is a line with what is known of it here, and totals stand beside it', async () => {
  // Search, which is a moment behind, shows all payouts as they are.
  const { lines, totals } = await vi.waitUntil(async () => {
    const { code, output } = await exported('--json');
    expect(code, output).toBe(0);
    const objects = output
      .trim()
      .split('\n')
      .map((json) => z.looseObject({}).parse(JSON.parse(json)));
    const found = objects.slice(0, -1).map((each) => line.parse(each));
    const settled = found.filter(({ our_status: status }) => status === 'done');
    return settled.length === 2 && { lines: found, totals: objects.at(-1)?.totals };
  }, waiting);
  expect(lines).toHaveLength(2);
  expect(lines).toContainEqual(
    expect.objectContaining({
      ...{ partner_code: 'plain', attempt: 1, status: 'done', our_status: 'done', difference: null },
      ...{ value: '25.00', fee: '0.50', tax: '0.00', total: '25.50', provider: 'sandbox' },
      started_by: expect.any(String) as unknown,
      claimed_at: expect.stringMatching(/^20/) as unknown,
      paid_at: expect.stringMatching(/^20/) as unknown,
    }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({ partner_code: 'hidden', status: null, difference: 'only_ours' }),
  );
  expect(totals).toMatchObject({
    listed: { count: 1, value: '25.00', fee: '0.50', tax: '0.00', total: '25.50' },
    by_status: { not_listed: { count: 1, value: '25.00' } },
    differences: { only_ours: { count: 1, value: '25.00' } },
    unreadable_amounts: 0,
  });
  const { code, output } = await exported('--csv');
  expect(code).toBe(0);
  const [csv = '', table = ''] = output.split(/(?=┌)/);
  const rows = parse<Record<string, string>>(csv, { columns: true });
  expect(rows).toHaveLength(2);
  expect(rows).toContainEqual(
    expect.objectContaining({ partner_code: 'plain', attempt: '1', value: '25.00', difference: '' }),
  );
  expect(table).toMatch(/all listed +│ +1 +│ +25\.00/);
  const before = await exported('--json', '2020-01-01', '--to', '2020-02-01');
  expect(JSON.parse(before.output)).toMatchObject({ totals: { listed: { count: 0, value: '0.00' } } });
});

test('another value at the service, and an amount that is none, are named, and exit code 1 says so', async () => {
  const list = await serviceList();
  const payouts = list.payouts.map((each) => ({ ...each, value: 25.01, tax: 0.125 }));
  await answerListWith({ effect: 'none', status: 200, body: { ...list, payouts } });
  const { code, output } = await exported('--csv');
  expect(code).toBe(1);
  expect(output).toMatch(/\nplain,1,\d+,25\.01,0\.50,unreadable,.*,another_value\r\n/);
  expect(output).toContain("1 amounts of the service can't be read exactly");
});

test('a list that breaks off gives what was read, no totals and exit code 1', async () => {
  const body = { ...(await serviceList()), total_pages: 2, current_page: 1 };
  await answerListWith({ effect: 'none', status: 200, body }, 1);
  await answerListWith({ effect: 'none', status: 503 });
  const { code, output } = await exported('--json');
  expect(code).toBe(1);
  expect(output).toContain('could not be read completely');
  expect(output).not.toContain('totals":');
});

test('of a list that has the oldest first it says how many records it read, and nothing of what they come to', async () => {
  const list = await serviceList();
  const daysAgo = (days: number) => new Date(now() - days * 86_400_000).toISOString();
  const claimed = [40, 30].map((days) => ({
    ...{ ...list.payouts[0], id: 900_000 - days },
    claimed_at: daysAgo(days),
  }));
  for (const [at, payouts] of [claimed, list.payouts].entries()) {
    const body = { ...list, payouts, total_pages: 2, current_page: at + 1 };
    await answerListWith({ effect: 'none', status: 200, body }, 1);
  }
  const { code, output } = await exported('--json', daysAgo(1));
  expect(code, output).toBe(1);
  expect(output).toContain('the newest are not first in it, as was asked for. It was read for 3 records.');
  expect(output).not.toContain('totals":');
});

test('nothing of an export stays in Temporal', async () => {
  const { client, taskQueue } = stack.server;
  const pagesRead = () => stack.sandbox.ledger().calls['GET /v1/payouts'] ?? 0;
  const before = pagesRead();
  expect((await exported('--json')).code).toBe(0);
  expect(pagesRead()).toBe(before + 1);

  // Once search shows this one, it shows no longer what came before it.
  const workflowId = `later-${taskQueue}`;
  await client.workflow.start('payoutList', { workflowId, taskQueue: `${taskQueue}-of-nobody` });
  onTestFinished(async () => void (await client.workflow.getHandle(workflowId).terminate()));
  const query = `WorkflowType = 'payoutList' AND TaskQueue IN ('${taskQueue}', '${taskQueue}-of-nobody')`;
  const listed = async () => {
    const ids: string[] = [];
    for await (const found of client.workflow.list({ query })) {
      // On a busy server search may go on showing what is deleted.
      const described = client.workflow.getHandle(found.workflowId, found.runId).describe();
      if ((await Promise.allSettled([described]))[0].status === 'fulfilled') ids.push(found.workflowId);
    }
    return ids;
  };
  await expect.poll(listed).toEqual([workflowId]);
});
