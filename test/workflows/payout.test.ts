import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { freshCode } from '../support/requests.js';

describe('a payout that goes well', () => {
  test('by bank transfer, with watch_days 0, closes as soon as it is done', async ({ payouts, sandbox }) => {
    const code = freshCode();
    const payout = await payouts.startTransfer(code, { watch_days: 0 });
    await payout.until(statusIs('claimed'));
    sandbox.setPayoutStatus(code, 'done');
    expect(await payout.result()).toMatchObject({ status: 'done', method: 'transfer' });
  });

  test('that is not done by its deadline needs attention, and no more when it is done', async ({
    payouts,
    sandbox,
  }) => {
    const code = freshCode();
    const payout = await payouts.start(code);
    await payout.until(attentionIs('overdue'), '6 hours');
    sandbox.setPayoutStatus(code, 'done');
    await payout.until((state) => state.status === 'done' && state.attention === null, '6 hours');
  });
});

describe('hints', () => {
  test('a postback makes the next read due at once, many make one, and none is trusted', async ({
    payouts,
    sandbox,
    clock,
  }) => {
    const code = freshCode();
    const payout = await payouts.start(code);
    await payout.until(statusIs('claimed'), '2 hours');
    await clock.sleep('2 hours');
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
  test('before anything was sent ends the payout as cancelled', async ({ payouts }) => {
    const code = freshCode();
    const payout = await payouts.startTransfer(code, { validate_account: true });
    await payout.cancel();
    expect(await payout.result()).toMatchObject({ status: 'cancelled', closed: true });
    expect(payouts.made(code)).toHaveLength(0);
  });
});

test.for([
  ['a value with three decimals', { value: 1.001 }],
  ['an unknown field', { credit_card: { number: '4111111111111111' } }],
  ['a malformed CPF', { document: '52998224726' }],
] as const)('a payout that is started with %s is refused', async ([, change], { payouts }) => {
  const code = freshCode();
  const result = await (await payouts.start(code, '', change)).result();
  expect(result).toMatchObject({ status: 'rejected', attention: 'invalid_input', closed: true });
  expect(payouts.made(code)).toHaveLength(0);
  expect(JSON.stringify(result)).not.toContain('4111111111111111');
});
