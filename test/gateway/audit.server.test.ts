import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createAuditLog } from '../../src/audit/audit-log.js';
import { cardOrder, newCode, pan, pixPayout } from './requests.js';
import { call, operatorKey, otherOmsKey } from './call.js';
import { gatewayForAllTests, startGatewayOn } from './test-gateway.js';

let lines = '';
const stream = { write: (line: string) => (lines += line) };
const gateway = await gatewayForAllTests({
  audit: createAuditLog(stream),
  logger: pino({ level: 'silent' }),
});

const entries = () =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const last = () => entries().at(-1);

test('every start is in the audit stream with its outcome, whatever the level of the log is', async () => {
  const payout = pixPayout();
  const start = { key: 'shop', command: 'startPayout', workflow_id: `payout-${payout.partner_code}` };
  await gateway.call('POST', '/v1/payouts/pix', { body: payout });
  expect(last()).toEqual({
    ...start,
    stream: 'audit',
    time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    address: '127.0.0.1',
    outcome: 'started',
    value: payout.value,
    payee: expect.stringMatching(/^pix …a@example.com, document …\d{6}…$/) as string,
    ...{ chain: expect.any(String) as string, n: expect.any(Number) as number },
    hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
  await gateway.call('POST', '/v1/payouts/pix', { body: payout });
  expect(last()).toMatchObject({ ...start, outcome: 'repeated' });
  await gateway.call('POST', '/v1/payouts/pix', { body: { ...payout, value: 1 } });
  expect(last()).toMatchObject({ ...start, outcome: 'conflict: request' });
  await gateway.call('POST', '/v1/payouts/pix', { body: payout, key: otherOmsKey });
  expect(last()).toMatchObject({ ...start, key: 'market', outcome: 'conflict: owner' });
  await gateway.call('POST', '/v1/orders/card', { body: cardOrder() });
  expect(last()).toMatchObject({ key: 'shop', command: 'startCardOrder', outcome: 'started' });
  expect(lines).not.toContain(pan);
  const batch_id = `${newCode()}x`;
  await gateway.call('POST', '/v1/payout-batches', {
    body: { batch_id, payouts: [{ method: 'pix', ...pixPayout() }] },
  });
  expect(last()).toMatchObject({
    ...{ key: 'shop', command: 'startPayoutBatch', outcome: 'started' },
    ...{ workflow_id: `batch-${batch_id}-1`, payouts: 1, value: payout.value },
  });
});

test('every decision is in it, taken or refused, with who gave it', async () => {
  const payout = pixPayout();
  const path = `/v1/payouts/${payout.partner_code}`;
  const workflow_id = `payout-${payout.partner_code}`;
  await gateway.call('POST', '/v1/payouts/pix', { body: payout });
  await gateway.call('POST', `${path}/retry`, { body: { reason: 'a test' } });
  expect(last()).toMatchObject({
    key: 'shop',
    command: 'retryPayout',
    workflow_id,
    outcome: 'refused: NotParked',
  });
  await gateway.call('POST', `${path}/abandon`, { key: operatorKey, body: { reason: 'a test' } });
  expect(last()).toMatchObject({ key: 'ana', command: 'abandonPayout', workflow_id, outcome: 'accepted' });
});

test('the access log names the payment that a request was about, and leaves probes out at info', async () => {
  const { close, logs, url } = await startGatewayOn(gateway.server);
  onTestFinished(close);
  const payout = pixPayout();
  await call(url, 'POST', '/v1/payouts/pix', { body: payout });
  await call(url, 'GET', `/v1/payouts/${payout.partner_code}`);
  for (const probe of ['/healthz', '/readyz', '/metrics']) await call(url, 'GET', probe, { key: null });
  const accesses = () =>
    logs()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'))
      .map((line) => JSON.parse(line) as { level: number; route: string; workflow_id?: string });
  await expect.poll(() => accesses().length).toBe(5);
  const [start, read, ...probes] = accesses();
  expect([start?.workflow_id, read?.workflow_id]).toEqual(Array(2).fill(`payout-${payout.partner_code}`));
  expect(probes.map(({ level }) => level)).toEqual([20, 20, 20]);
});
