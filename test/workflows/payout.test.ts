import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';

describe('a payout that goes well', () => {
  test('by bank transfer, with watch_days 0, closes as soon as it is done', async ({ payout }) => {
    await payout.startTransfer({ watch_days: 0 });
    await payout.until(statusIs('claimed'));
    payout.service.shows('done');
    expect(await payout.result()).toMatchObject({ status: 'done', method: 'transfer' });
  });

  test('that is not done by its deadline needs attention, and no more when it is done', async ({
    payout,
  }) => {
    await payout.start();
    await payout.until(attentionIs('overdue'), '6 hours');
    payout.service.shows('done');
    await payout.until((state) => state.status === 'done' && state.attention === null, '6 hours');
  });
});

describe('hints', () => {
  test('a postback makes the next read due at once, many make one, and none is trusted', async ({
    payout,
    sandbox,
  }) => {
    await payout.start();
    await payout.until(statusIs('claimed'), '2 hours');
    await payout.after('2 hours');
    const reads = () => sandbox.ledger().calls['GET /v1/payout/{id}'] ?? 0;
    const before = reads();
    const postback = { received_at: new Date().toISOString(), content_type: null, body: '{"status":"done"}' };
    await Promise.all(Array.from({ length: 20 }, () => payout.signal('postbackReceived', postback)));
    const state = await payout.until((shown) => shown.last_read?.cause === 'postback', '1 second');
    expect(state.status).toBe('claimed');
    expect(reads() - before).toBeLessThan(4);
  });
});

describe('a cancel request', () => {
  test('before anything was sent ends the payout as cancelled', async ({ payout }) => {
    await payout.startTransfer({ validate_account: true });
    await payout.cancel();
    expect(await payout.result()).toMatchObject({ status: 'cancelled', closed: true });
    expect(payout.made()).toHaveLength(0);
  });
});

test.for([
  ['a value with three decimals', { value: 1.001 }],
  ['an unknown field', { credit_card: { number: '4111111111111111' } }],
  ['a malformed CPF', { document: '52998224726' }],
] as const)('a payout that is started with %s is refused', async ([, change], { payout }) => {
  const result = await (await payout.start('', change)).result();
  expect(result).toMatchObject({ status: 'rejected', attention: 'invalid_input', closed: true });
  expect(payout.made()).toHaveLength(0);
  expect(JSON.stringify(result)).not.toContain('4111111111111111');
});
