import { afterEach, expect, test } from 'vitest';
import { bulkRetryState } from '../../src/contract/bulk-retry.js';
import { paymentPage } from '../../src/contract/http/lists.js';
import { startedForAllTests } from '../processes/support/all-tests.js';
import { pixPayout } from '../processes/support/oms.js';
import { runProgram } from '../processes/support/program.js';
import { whereThereIs } from '../support/tools.js';
import { inTerminal } from './support/terminal.js';

const { home, oms } = await startedForAllTests();

// Whatever became of the test before.
afterEach(() => home.sandbox('DELETE', '/sandbox/faults'));

/** Follows a bulk retry of two failed payouts, which the service takes when {@link goesOn} has it take them. */
async function held(id: string): Promise<string[]> {
  const codes = [`${id}-1`, `${id}-2`];
  for (const code of codes) {
    await oms.post('/v1/payouts/pix', pixPayout(code, { pix: 'sandbox+error-once@example.com' }));
    await oms.until(`/v1/payouts/${code}`, 'error');
  }
  await untilListedAsFailed(codes);
  const throttled = { endpoint: 'POST /v1/payout/pix', fault: { effect: 'none', status: 429 } };
  await home.sandbox('POST', '/sandbox/faults', { ...throttled, times: 1_000_000 });
  const options = [
    '--code',
    ...codes,
    '--id',
    id,
    '--reason',
    'the bank is back',
    '--canary',
    '0',
    '--follow',
  ];
  return ['payout', 'retry', '--all', ...options];
}

/** Lists follow a moment after. */
async function untilListedAsFailed(codes: readonly string[]): Promise<void> {
  await expect
    .poll(async () => {
      const { body } = await oms.get('/v1/payouts?attention=payout_failed');
      return paymentPage.parse(body).payments.map(({ partner_code: code }) => code);
    })
    .toEqual(expect.arrayContaining([...codes]));
}

async function stateOf(id: string) {
  return bulkRetryState.parse(JSON.parse((await home.cli('bulk-retry', 'show', id, '--json')).output));
}

/** Both payouts are paid by their second attempts, although nobody watches. */
async function goesOn(id: string): Promise<void> {
  await home.sandbox('DELETE', '/sandbox/faults');
  for (const code of [`${id}-1`, `${id}-2`]) await oms.until(`/v1/payouts/${code}`, 'done');
  await expect
    .poll(() => stateOf(id))
    .toMatchObject({ closed: true, status: 'finished', counts: { matched: 2, done: 2 } });
}

const parting = (id: string) => [
  'The bulk retry goes on without this command. Look again, pause or stop it:',
  `  durable-payments bulk-retry show ${id}`,
  `  durable-payments bulk-retry pause ${id} --reason '…'`,
];

test('Ctrl-C leaves a bulk retry running, says so, and prints how far it is; a pipe gets no progress bar', async () => {
  const args = await held('piped');
  const program = runProgram(args, home.env);
  await program.prints('Bulk retry piped is started');
  await expect.poll(() => stateOf('piped')).toMatchObject({ status: 'running', counts: { retried: 2 } });
  const { code, signal } = await program.end('SIGINT');
  expect({ code, signal }).toEqual({ code: 130, signal: null });
  const lines = program.output().split('\n');
  expect(lines).toEqual(expect.arrayContaining(parting('piped')));
  expect(program.output()).toMatch(/^Bulk retry piped: running$/m);
  expect(program.output()).toMatch(/selected +│ 2 +│ R\$ 50\.00/);
  // eslint-disable-next-line no-control-regex -- what moves a cursor
  expect(program.output()).not.toMatch(/[█░\r\u001b]/);
  await goesOn('piped');
});

test.runIf(whereThereIs('terminal of Linux', process.platform === 'linux'))(
  'in a terminal a bar of 80 columns shows how far it is, until Ctrl-C',
  async () => {
    const terminal = inTerminal(await held('drawn'), home.env);
    await terminal.draws(/[█░]+ 2\/2 · 0 done, 0 failed again · running/);
    terminal.type('\u0003');
    const { code, lines } = await terminal.ended;
    expect(code).toBe(130);
    expect(lines).toEqual(expect.arrayContaining(parting('drawn')));
    expect(lines).toContain('Bulk retry drawn: running');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    await goesOn('drawn');
  },
);
