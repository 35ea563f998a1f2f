import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PayoutState } from '../../src/contract/state.js';
import { startPaymentRig, type PaymentRig } from '../support/payment-rig.js';
import { freshCode, pixPayout, transferPayout } from '../support/requests.js';

let rig: PaymentRig;
beforeAll(async () => {
  rig = await startPaymentRig();
});
afterEach(() => rig.finish('all'));
afterAll(() => rig.close());

const start = (code: string, input: unknown) => rig.start('payout', `payout-${code}`, input);
const statusIs = (status: string) => (state: PayoutState) => state.status === status;
const made = (code: string) =>
  rig.sandbox
    .ledger()
    .payouts.filter(({ partner_code: made }) => made === code || made.startsWith(`${code}-r`));

describe('a payout that goes well', () => {
  test('is submitted, followed by reads alone, and ends done at the end of its watch', async () => {
    const code = freshCode();
    const handle = await start(code, pixPayout(code));
    const claimed = await rig.until(handle, statusIs('claimed'));
    expect(claimed).toMatchObject({
      attention: null,
      attempts: [{ number: 1, partner_code: code, status: 'claimed' }],
    });
    rig.sandbox.setPayoutStatus(code, 'processing');
    await rig.until(handle, statusIs('processing'));
    rig.sandbox.setPayoutStatus(code, 'done');
    const result = (await handle.result()) as PayoutState;
    expect(result).toMatchObject({ status: 'done', closed: true, attention: null, value: 150.25 });
    expect(made(code)).toHaveLength(1);
  });

  test('by bank transfer, with watch_days 0, closes as soon as it is done', async () => {
    const code = freshCode();
    const handle = await start(code, transferPayout(code, { watch_days: 0 }));
    await rig.until(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(code, 'done');
    expect(await handle.result()).toMatchObject({ status: 'done', method: 'transfer' });
  });
});

describe('a payout that fails', () => {
  test('waits for a person, is retried with a corrected key as -r2, and is done', async () => {
    const code = freshCode();
    const handle = await start(code, pixPayout(code));
    await rig.until(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(code, 'error');
    const failed = await rig.until(handle, statusIs('error'));
    expect(failed.attention).toBe('payout_failed');
    expect(failed.attention_detail).toContain('retryPayout');

    const retried = await handle.executeUpdate<PayoutState, [object]>('retryPayout', {
      args: [{ attempt: 1, corrections: { pix: 'right@example.com' }, reason: 'wrong key', by: 'ana' }],
    });
    expect(retried.attempts).toHaveLength(2);
    await rig.until(handle, statusIs('claimed'));
    rig.sandbox.setPayoutStatus(`${code}-r2`, 'done');
    const done = await rig.until(handle, statusIs('done'));
    expect(done.attention).toBeNull();
    expect(done.attempts.map(({ partner_code: sent, status }) => [sent, status])).toEqual([
      [code, 'error'],
      [`${code}-r2`, 'done'],
    ]);
    expect(done.story.find(({ by }) => by === 'ana')).toMatchObject({ reason: 'wrong key' });
    expect(JSON.stringify(done.story)).not.toContain('right@example.com');
    await handle.result();
  });
});
