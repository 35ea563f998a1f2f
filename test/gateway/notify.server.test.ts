import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newCode, pixPayout } from './requests.js';
import { otherOmsKey, startTestGateway } from './test-gateway.js';
import type { TestGateway } from './test-gateway.js';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({
    notifyTargets: [
      { name: 'shop', url: 'https://shop.example.com/hooks', keys: null },
      { name: 'market', url: 'https://market.example.com/hooks', keys: ['market'] },
    ],
    notifyWorkflows: ['oms-', { prefix: 'market-', keys: ['market'] }],
  });
});
afterAll(() => gateway.close());

const start = (notify: unknown, code = newCode()) =>
  gateway.call('POST', '/v1/payouts/pix', { body: { ...pixPayout(code), notify } });

describe('whom a payment notifies', () => {
  test.for<[string, object]>([
    ['the name of a target', { webhook: 'shop' }],
    ['the URL of a target', { webhook: 'https://shop.example.com/hooks' }],
    ['its URL written in another way', { webhook: 'https://SHOP.example.com:443/hooks' }],
    ['a workflow', { workflow_id: 'oms-1', signal: 'paymentChanged' }],
  ])('may be %s', async ([, notify]) => {
    expect(await start(notify)).toMatchObject({ status: 202 });
  });

  test.for<[string, unknown]>([
    ['another name', { webhook: 'crm' }],
    ['a URL that is on no list', { webhook: 'https://shop.example.com/hooks/other' }],
    ['the metadata of a cloud', { webhook: 'http://169.254.169.254/latest' }],
    ['nothing', {}],
    ['both', { webhook: 'shop', workflow_id: 'oms-1', signal: 'x' }],
    ['a workflow without a signal', { workflow_id: 'oms-1' }],
    ['a command of payments', { workflow_id: 'payout-1', signal: 'retryPayout' }],
    ['a hint of payments', { workflow_id: 'payout-1', signal: 'statusHint' }],
    ['a text', 'shop'],
    ['a target of another key', { webhook: 'market' }],
    ['the URL of a target of another key', { webhook: 'https://market.example.com/hooks' }],
    ['a workflow of another key', { workflow_id: 'market-1', signal: 'x' }],
    ['a workflow that is on no list', { workflow_id: 'om', signal: 'x' }],
    ['a Schedule', { workflow_id: 'temporal-sys-scheduler:payout-reconciliation', signal: 'patch' }],
  ])('may not be %s', async ([, notify]) => {
    const answer = await start(notify);
    expect(answer.status).toBe(400);
    expect(answer.body.errors[0]?.field).toMatch(/^notify/);
  });

  test.for(['application/json', 'application/x-ndjson'])(
    'is refused by row for a batch as %s, along with whatever else is wrong',
    async (type) => {
      const rows = [
        { ...pixPayout(), value: -1 },
        { ...pixPayout(), notify: { webhook: 'crm' } },
      ];
      const payouts = rows.map((row) => ({ method: 'pix', ...row }));
      const id = newCode();
      const isJson = type === 'application/json';
      const answer = await gateway.call('POST', `/v1/payout-batches${isJson ? '' : `?batch_id=${id}`}`, {
        headers: { 'content-type': type },
        raw: isJson
          ? JSON.stringify({ batch_id: id, payouts })
          : payouts.map((row) => JSON.stringify(row)).join('\n'),
      });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject([
        { row: 1, field: 'value' },
        { row: 2, field: 'notify.webhook' },
      ]);
    },
  );

  test('may be what belongs to its own key', async () => {
    for (const notify of [{ webhook: 'market' }, { workflow_id: 'market-1', signal: 'x' }]) {
      const body = { ...pixPayout(), notify };
      expect((await gateway.call('POST', '/v1/payouts/pix', { key: otherOmsKey, body })).status).toBe(202);
    }
  });

  test('does not make it another payment', async () => {
    const code = newCode();
    expect(await start({ webhook: 'shop' }, code)).toMatchObject({ status: 202 });
    expect(await start({ workflow_id: 'oms-1', signal: 'x' }, code)).toMatchObject({ status: 200 });
    expect(await start(undefined, code)).toMatchObject({ status: 200 });
  });
});
