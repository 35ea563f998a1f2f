import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gatewayWithoutTemporal } from '../support/gateway-without-temporal.js';
import { call, omsKey, otherOmsKey } from './call.js';
import { newCode, pixPayout } from './requests.js';

/** Answers 503 to whatever it does not refuse. */
const gateway = gatewayWithoutTemporal({
  apiKeys: [
    { name: 'shop', key: omsKey, scopes: ['oms'] },
    { name: 'market', key: otherOmsKey, scopes: ['oms'] },
  ],
  notifyTargets: [
    { name: 'shop', url: 'https://shop.example.com/hooks', keys: null },
    { name: 'market', url: 'https://market.example.com/hooks', keys: ['market'] },
  ],
  notifyWorkflows: ['oms-', { prefix: 'market-', keys: ['market'] }],
  limits: { temporalCallMs: 100 },
});
let url: string;
beforeAll(async () => {
  url = await gateway.listen();
});
afterAll(() => gateway.close());

const post = (path: string, body: object, key = omsKey) => call(url, 'POST', path, { key, body });
const start = (notify: unknown, key?: string) => post('/v1/payouts/pix', { ...pixPayout(), notify }, key);

describe('whom a payment notifies', () => {
  test.for([
    ['the URL of a target', { webhook: 'https://SHOP.example.com:443/hooks' }, omsKey],
    ['a target of its own key', { webhook: 'market' }, otherOmsKey],
    ['a workflow of its own key', { workflow_id: 'market-1', signal: 'x' }, otherOmsKey],
  ] as const)('may be %s', async ([, notify, key]) => {
    expect((await start(notify, key)).status).toBe(503);
  });

  test.for<[string, unknown]>([
    ['another name', { webhook: 'crm' }],
    ['the metadata of a cloud', { webhook: 'http://169.254.169.254/latest' }],
    ['nothing', {}],
    ['both', { webhook: 'shop', workflow_id: 'oms-1', signal: 'x' }],
    ['a workflow without a signal', { workflow_id: 'oms-1' }],
    ['a command of payments', { workflow_id: 'payout-1', signal: 'retryPayout' }],
    ['a text', 'shop'],
    ['a target of another key', { webhook: 'market' }],
    ['a workflow of another key', { workflow_id: 'market-1', signal: 'x' }],
    ['a workflow that is on no list', { workflow_id: 'om', signal: 'x' }],
  ])('may not be %s', async ([, notify]) => {
    const answer = await start(notify);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0]?.field).toMatch(/^notify/);
  });

  test.for([
    ['application/json', '', (rows: object[]) => JSON.stringify({ batch_id: 'wages', payouts: rows })],
    [
      'application/x-ndjson',
      '?batch_id=wages',
      (rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n'),
    ],
  ] as const)(
    'is refused by row for a batch as %s, along with whatever else is wrong',
    async ([type, query, textOf]) => {
      const rows = [{ value: -1 }, { notify: { webhook: 'crm' } }];
      const raw = textOf(rows.map((row) => ({ method: 'pix', ...pixPayout(), ...row })));
      const answer = await call(url, 'POST', `/v1/payout-batches${query}`, {
        ...{ headers: { 'content-type': type }, raw },
      });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject([
        { row: 1, field: 'value' },
        { row: 2, field: 'notify.webhook' },
      ]);
    },
  );
});

describe('a resend', () => {
  test.for<[string, object, string]>([
    ['neither a payment nor a moment', {}, 'seen_after'],
    ['a range of no payment', { seen_after: '2026-05-01T00:00:00Z', sequence_to: 3 }, 'workflow_id'],
    ['a workflow that is no payment', { workflow_id: 'webhook-resend-x' }, 'workflow_id'],
    ['a sequence below 1', { workflow_id: 'payout-x', sequence_from: 0 }, 'sequence_from'],
    ['an unknown field', { workflow_id: 'payout-x', resent: true }, 'resent'],
    ['a rate without bound', { workflow_id: 'payout-x', per_second: 1_000 }, 'per_second'],
  ])('of %s is refused', async ([, more, field]) => {
    const answer = await post('/v1/webhook-resends', { resend_id: newCode(), ...more });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map((each) => each.field)).toContain(field);
  });
});

describe('a ping', () => {
  const ping = (webhook: string, key?: string) => post('/v1/webhooks/ping', { webhook }, key);

  test('of an address that is on no list is refused', async () => {
    const answer = await ping('http://169.254.169.254/latest');
    expect(answer.status).toBe(404);
    expect(answer.body.detail).toBe(
      'This is not a webhook of this installation that you may use: NOTIFY_TARGETS has them.',
    );
  });

  test('by a stranger is answered as if there was no such webhook, and not sent', async () => {
    const answer = await ping('market');
    expect(answer.status).toBe(404);
    expect(answer.body).toEqual((await ping('nobody')).body);
    expect((await ping('market', otherOmsKey)).status).toBe(503);
  });
});
