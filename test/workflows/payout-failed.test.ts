import { describe, expect } from 'vitest';
import { statusIs, timelineShows } from '../support/payment.js';
import { test } from '../support/plain-payments.js';

describe('a payout that fails', () => {
  test('is retried by the signal that a batch operation sends, without any input', async ({ payout }) => {
    await payout.failed();
    await payout.signal('retryPayout');
    await payout.until((state) => state.attempts.length === 2 && state.status === 'claimed');
    expect(payout.made()).toHaveLength(2);
  });

  test.for([
    ['a correction that is no pix key', { corrections: { pix: 'no key at all' } }, 'corrections.pix must be'],
    ['a misspelt correction', { correction: { pix: 'no key at all' } }, 'correction'],
    ['a retry that nobody has decided', { by: undefined }, 'by'],
    ['a correction of the value', { corrections: { value: 1 } }, 'value'],
    ['a correction of the other way to pay', { corrections: { account: '1' } }, 'account'],
  ] as const)(
    'takes %s neither as an Update nor by a Signal, and waits on',
    async ([, wrong, words], { payout }) => {
      await payout.failed();
      expect(await payout.refusal('retryPayout', wrong)).toBe('InvalidMessage');
      await payout.signal('retryPayout', wrong);
      const state = await payout.until(timelineShows('A retryPayout Signal had no effect'), '1 second', 10);
      expect(state.timeline.at(-1)?.what).toContain(words);
      expect(state).toMatchObject({ attention: 'payout_failed', attempts: [{ number: 1 }] });
      expect(JSON.stringify(state.timeline)).not.toContain('no key at all');
      expect(payout.made()).toHaveLength(1);
    },
  );

  test('because the service refused it can be retried after two scans', async ({ payout, sandbox }) => {
    await payout.start('422');
    const refused = await payout.until(statusIs('rejected'));
    expect(refused.attention).toBe('payout_failed');
    expect(refused.attention_detail).toContain('retryPayout');
    expect(refused.refusal).toContain('422');
    const scansBefore = sandbox.ledger().calls['GET /v1/payouts'] ?? 0;
    await payout.command('retryPayout', { corrections: { pix: 'right@example.com' } });
    const retried = await payout.until(statusIs('claimed'));
    expect(retried.refusal).toBeNull();
    expect(retried.attempts[0]?.error).toContain('422');
    expect(JSON.stringify(retried.timeline)).not.toContain('right@example.com');
    // That of the command came too soon to show what the service has taken.
    expect(sandbox.ledger().calls['GET /v1/payouts']).toBe(scansBefore + 2);
  });
});
