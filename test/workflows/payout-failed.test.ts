import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

describe('a payout that fails', () => {
  test('is retried by the signal that a batch operation sends, without any input', async ({ payouts }) => {
    const code = freshCode();
    const payout = await payouts.failed(code);
    await payout.signal('retryPayout');
    await payout.until((state) => state.attempts.length === 2 && state.status === 'claimed');
    expect(payouts.made(code)).toHaveLength(2);
  });

  test('is retried once by two commands at the same time', async ({ payouts }) => {
    const code = freshCode();
    const payout = await payouts.failed(code);
    const answers = await Promise.all([
      payout.command('retryPayout').catch(refusalOf),
      payout.command('retryPayout').catch(refusalOf),
    ]);
    expect(answers).toContain('NotParked');
    await payout.until(statusIs('claimed'));
    expect(payouts.made(code)).toHaveLength(2);
  });

  test('is not retried while a previous attempt can not be read', async ({ payouts, sandbox }) => {
    const code = freshCode();
    const payout = await payouts.failed(code);
    sandbox.fault({
      endpoint: 'GET /v1/payout/{id}',
      partner_code: code,
      times: 1,
      fault: { effect: 'none', status: 503 },
    });
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('CouldNotRead');
    expect(payouts.made(code)).toHaveLength(1);
  });

  test('refuses corrections of its value, of unknown fields, and of another attempt', async ({ payouts }) => {
    const code = freshCode();
    const payout = await payouts.failed(code);
    const refused = (message: object) => payout.command('retryPayout', message).catch(refusalOf);
    expect(await refused({ corrections: { value: 1 } })).toBe('InvalidMessage');
    expect(await refused({ corrections: { note: 'x' } })).toBe('InvalidMessage');
    expect(await refused({ attempt: 2 })).toBe('WrongAttempt');
    expect(payouts.made(code)).toHaveLength(1);
  });

  test.for([
    ['a correction that is no pix key', { corrections: { pix: 'no key at all' } }, 'corrections.pix must be'],
    ['a misspelt correction', { correction: { pix: 'no key at all' } }, 'correction'],
    ['a retry that nobody has decided', { by: undefined }, 'by'],
  ] as const)(
    'takes %s neither as an Update nor by a Signal, and waits on',
    async ([, wrong, words], { payouts }) => {
      const code = freshCode();
      const payout = await payouts.failed(code);
      expect(await payout.command('retryPayout', wrong).catch(refusalOf)).toBe('InvalidMessage');
      await payout.signal('retryPayout', wrong);
      const ignored = ({ what }: { what: string }) =>
        what.includes('A retryPayout Signal had no effect') && what.includes(words);
      const state = await payout.until(({ timeline }) => timeline.some(ignored), '1 second', 10);
      expect(state).toMatchObject({ attention: 'payout_failed', attempts: [{ number: 1 }] });
      expect(JSON.stringify(state.timeline)).not.toContain('no key at all');
      expect(payouts.made(code)).toHaveLength(1);
    },
  );

  test('needs attention when two attempts turn out to be done', async ({ payouts, sandbox }) => {
    const code = freshCode();
    const payout = await payouts.failed(code);
    await payout.command('retryPayout');
    await payout.until(statusIs('claimed'));
    sandbox.setPayoutStatus(`${code}-r2`, 'done');
    await payout.until(statusIs('done'));
    sandbox.setPayoutStatus(code, 'done');
    await payout.until(attentionIs('paid_twice'), '1 day');
  });

  test('needs no operator any more when it is done after all', async ({ payouts, sandbox }) => {
    const code = freshCode();
    const payout = await payouts.failed(code);
    sandbox.setPayoutStatus(code, 'done');
    expect(await payout.until(statusIs('done'), '1 day')).toMatchObject({ attention: null });
    expect(payouts.made(code)).toHaveLength(1);
  });

  test('needs attention when it was done and is returned', async ({ payouts, sandbox }) => {
    const code = freshCode();
    const payout = await payouts.start(code);
    await payout.until(statusIs('claimed'));
    sandbox.setPayoutStatus(code, 'done');
    await payout.until(statusIs('done'));
    sandbox.setPayoutStatus(code, 'error');
    await payout.until(attentionIs('payout_returned'), '1 day');
  });

  test('because the service refused it shows the words and can be retried after two scans', async ({
    payouts,
    sandbox,
  }) => {
    const code = freshCode();
    const payout = await payouts.start(code, '422');
    const refused = await payout.until(statusIs('rejected'));
    expect(refused).toMatchObject({
      attention: 'payout_failed',
      refusal: expect.stringContaining('422') as string,
    });
    const scansBefore = sandbox.ledger().calls['GET /v1/payouts'] ?? 0;
    await payout.command('retryPayout', { corrections: { pix: 'right@example.com' } });
    const retried = await payout.until(statusIs('claimed'));
    expect(retried.refusal).toBeNull();
    expect(retried.attempts[0]?.error).toContain('422');
    // That of the command came too soon to show what the service has taken.
    expect(sandbox.ledger().calls['GET /v1/payouts']).toBe(scansBefore + 2);
  });
});
