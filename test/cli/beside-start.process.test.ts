import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { bulkRetryState } from '../../src/contract/bulk-retry.js';
import { paymentPage } from '../../src/contract/http/lists.js';
import { notificationList } from '../../src/contract/http/notifications.js';
import { webhookResendState } from '../../src/contract/webhook-resend.js';
import { pixPayout } from '../processes/support/oms.js';
import { runProgram } from '../processes/support/program.js';
import { createHome } from '../processes/support/started.js';
import { whereThereIs } from '../support/tools.js';
import { waiting } from '../support/waiting.js';
import { accept, answerStatus, startWebhookReceiver } from '../support/webhook-receiver.js';
import { inTerminal } from './support/terminal.js';

const receiver = await startWebhookReceiver();
const home = await createHome({
  more: { NOTIFY_TARGETS: `shop=${receiver.url}`, NOTIFY_SECRETS: `shop=${receiver.secret}` },
});
const starting = home.start();
afterAll(async () => {
  try {
    await (await starting).end('SIGTERM');
  } finally {
    await home.remove();
    await receiver.close();
  }
});
const oms = home.oms(await starting);

// Whatever became of the test before.
afterEach(async () => {
  receiver.answerBy(accept);
  await home.sandbox('DELETE', '/sandbox/faults');
});

async function answerOf(...args: string[]): Promise<unknown> {
  const { code, output } = await home.cli(...args, '--json');
  expect(code, output).toBe(0);
  return JSON.parse(output);
}
const stateOf = async (id: string) => bulkRetryState.parse(await answerOf('bulk-retry', 'show', id));

/** Follows a bulk retry of two failed payouts, which the service takes when {@link goesOn} has it take them. */
async function held(id: string): Promise<string[]> {
  const codes = [`${id}-1`, `${id}-2`];
  for (const code of codes) {
    await oms.post('/v1/payouts/pix', pixPayout(code, { pix: 'sandbox+error-once@example.com' }));
    await oms.until(`/v1/payouts/${code}`, 'error');
  }
  // Lists follow a moment after.
  await vi.waitUntil(async () => {
    const { body } = await oms.get('/v1/payouts?attention=payout_failed');
    const listed = paymentPage.parse(body).payments.map(({ partner_code: code }) => code);
    return codes.every((code) => listed.includes(code));
  }, waiting);
  const throttled = { endpoint: 'POST /v1/payout/pix', fault: { effect: 'none', status: 429 } };
  await home.sandbox('POST', '/sandbox/faults', { ...throttled, times: 1_000_000 });
  const options = ['--id', id, '--reason', 'the bank is back', '--canary', '0', '--follow'];
  return ['payout', 'retry', '--all', '--code', ...codes, ...options];
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
  const program = runProgram(await held('piped'), home.env);
  await program.prints('Bulk retry piped is started');
  await expect.poll(() => stateOf('piped')).toMatchObject({ status: 'running', counts: { retried: 2 } });
  expect(await program.end('SIGINT')).toEqual({ code: 130, signal: null });
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

test('a ping shows whether a webhook is reached, and ends with 3 when it is not', async () => {
  const taken = await home.cli('webhook', 'ping', 'shop');
  expect(taken).toMatchObject({ code: 0 });
  expect(taken.output).toContain('has taken the ping');
  receiver.answerBy(answerStatus(401));
  const refused = await home.cli('webhook', 'ping', 'shop');
  expect(refused).toMatchObject({ code: 3 });
  expect(refused.output).toContain('The webhook shop answered 401.');
});

test('notifications are listed with what became of them, and sent again by their sequence', async () => {
  await oms.post('/v1/payouts/pix', { ...pixPayout('hooked'), notify: { webhook: 'shop' } });
  await oms.until('/v1/payouts/hooked', 'done');
  await vi.waitUntil(async () => {
    const listed = notificationList.parse(await answerOf('webhook', 'list', 'payout-hooked'));
    const { notifications } = listed;
    return notifications.length > 0 && notifications.every(({ delivery }) => delivery === 'delivered');
  }, waiting);
  const table = await home.cli('webhook', 'list', 'payout-hooked');
  expect(table.output).toMatch(/sequence +seen +status +attention +webhook +delivery/);
  const received = () =>
    receiver.received
      .map(({ notification }) => notification)
      .filter(({ payment }) => payment.partner_code === 'hooked');
  const before = received();
  const last = before.at(-1);

  const again = ['--sequence', String(last?.sequence), '--id', 'again-x'];
  const state = webhookResendState.parse(await answerOf('webhook', 'resend', 'payout-hooked', ...again));
  expect(state).toMatchObject({ status: 'finished', counts: { payments: 1, resent: 1 } });
  await vi.waitUntil(() => received().length > before.length, waiting);
  expect(received().at(-1)).toEqual({ ...last, resent: true });
  const shown = await home.cli('webhook', 'show', 'again-x');
  expect(shown.output).toMatch(/Resend again-x: finished[^]*sent again +1/);
  for (const verb of ['resend', 'list'])
    expect((await home.cli('webhook', verb, 'payout-nobody')).code).toBe(3);
});
