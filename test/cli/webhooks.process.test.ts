import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { notificationList } from '../../src/contract/http/notifications.js';
import { webhookResendState } from '../../src/contract/webhook-resend.js';
import { startedForAllTests } from '../processes/support/all-tests.js';
import { pixPayout } from '../processes/support/oms.js';
import { waiting } from '../support/waiting.js';
import { accept, answerStatus, startWebhookReceiver } from '../support/webhook-receiver.js';

const receiver = await startWebhookReceiver();
const { home, oms } = await startedForAllTests({
  more: { NOTIFY_TARGETS: `shop=${receiver.url}`, NOTIFY_SECRETS: `shop=${receiver.secret}` },
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.answerBy(accept);
});

async function listed(code: string) {
  const { code: exit, output } = await home.cli('webhook', 'list', `payout-${code}`, '--json');
  expect(exit, output).toBe(0);
  return notificationList.parse(JSON.parse(output)).notifications;
}

async function resent(...args: string[]) {
  const { code: exit, output } = await home.cli('webhook', 'resend', ...args, '--json');
  expect(exit, output).toBe(0);
  return webhookResendState.parse(JSON.parse(output));
}

const received = (code: string) =>
  receiver.received
    .map(({ notification }) => notification)
    .filter(({ payment }) => payment.partner_code === code);

test('a ping shows whether a webhook is reached, and ends with 3 when it is not', async () => {
  expect(await home.cli('webhook', 'ping', 'shop')).toMatchObject({
    code: 0,
    output: expect.stringContaining('has taken the ping') as string,
  });
  receiver.answerBy(answerStatus(401));
  expect(await home.cli('webhook', 'ping', 'shop')).toMatchObject({
    code: 3,
    output: expect.stringContaining('The webhook shop answered 401.') as string,
  });
});

test('notifications are listed with what became of them, and sent again by their sequence', async () => {
  await oms.post('/v1/payouts/pix', { ...pixPayout('hooked'), notify: { webhook: 'shop' } });
  await oms.until('/v1/payouts/hooked', 'done');
  await vi.waitUntil(async () => {
    const seen = await listed('hooked');
    return seen.length > 0 && seen.every(({ delivery }) => delivery === 'delivered');
  }, waiting);
  const table = await home.cli('webhook', 'list', 'payout-hooked');
  expect(table.output).toMatch(/sequence +seen +status +attention +webhook +delivery/);
  const before = received('hooked');
  const last = before.at(-1);
  const sequence = String(last?.sequence);

  const state = await resent('payout-hooked', '--sequence', sequence, '--id', 'again-x');
  expect(state).toMatchObject({ status: 'finished', counts: { payments: 1, resent: 1 } });
  await vi.waitUntil(() => received('hooked').length > before.length, waiting);
  expect(received('hooked').at(-1)).toEqual({ ...last, resent: true });
  const shown = await home.cli('webhook', 'show', 'again-x');
  expect(shown.output).toMatch(/Resend again-x: finished[^]*sent again +1/);
});

test.for<[string, string[]]>([
  ['neither a payment nor a moment', []],
  ['a sequence that is no number', ['payout-hooked', '--sequence', 'last']],
  ['a range of all payments', ['--seen-after', '2026-05-01T00:00:00Z', '--sequence', '2']],
  ['a moment without its time', ['--seen-after', 'yesterday']],
])('%s is wrong usage of resend: 2', async ([, args]) => {
  expect((await home.cli('webhook', 'resend', ...args)).code).toBe(2);
});

test('a payment that there is not ends with 3', async () => {
  expect((await home.cli('webhook', 'resend', 'payout-nobody')).code).toBe(3);
  expect((await home.cli('webhook', 'list', 'payout-nobody')).code).toBe(3);
});
