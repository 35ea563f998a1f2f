import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';

describe('a payout that fails', () => {
  test('is retried by the signal that a batch operation sends, without any input', async ({ payout }) => {
    await payout.failed();
    await payout.signal('retryPayout');
    await payout.until((state) => state.attempts.length === 2 && state.status === 'claimed');
    expect(payout.made()).toHaveLength(2);
  });

  test('is retried once by two commands at the same time', async ({ payout }) => {
    await payout.failed();
    const answers = await Promise.all([
      payout.command('retryPayout').catch(refusalOf),
      payout.command('retryPayout').catch(refusalOf),
    ]);
    expect(answers).toContain('NotParked');
    await payout.until(statusIs('claimed'));
    expect(payout.made()).toHaveLength(2);
  });

  test('is not retried while a previous attempt can not be read', async ({ payout }) => {
    await payout.failed();
    payout.service.answers('GET /v1/payout/{id}', { effect: 'none', status: 503 }, { times: 1 });
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('CouldNotRead');
    expect(payout.made()).toHaveLength(1);
  });

  test('refuses corrections of its value, of unknown fields, and of another attempt', async ({ payout }) => {
    await payout.failed();
    const refused = (message: object) => payout.command('retryPayout', message).catch(refusalOf);
    expect(await refused({ corrections: { value: 1 } })).toBe('InvalidMessage');
    expect(await refused({ corrections: { note: 'x' } })).toBe('InvalidMessage');
    expect(await refused({ attempt: 2 })).toBe('WrongAttempt');
    expect(payout.made()).toHaveLength(1);
  });

  test.for([
    ['a correction that is no pix key', { corrections: { pix: 'no key at all' } }, 'corrections.pix must be'],
    ['a misspelt correction', { correction: { pix: 'no key at all' } }, 'correction'],
    ['a retry that nobody has decided', { by: undefined }, 'by'],
  ] as const)(
    'takes %s neither as an Update nor by a Signal, and waits on',
    async ([, wrong, words], { payout }) => {
      await payout.failed();
      expect(await payout.command('retryPayout', wrong).catch(refusalOf)).toBe('InvalidMessage');
      await payout.signal('retryPayout', wrong);
      const ignored = ({ what }: { what: string }) =>
        what.includes('A retryPayout Signal had no effect') && what.includes(words);
      const state = await payout.until(({ timeline }) => timeline.some(ignored), '1 second', 10);
      expect(state).toMatchObject({ attention: 'payout_failed', attempts: [{ number: 1 }] });
      expect(JSON.stringify(state.timeline)).not.toContain('no key at all');
      expect(payout.made()).toHaveLength(1);
    },
  );

  test('needs attention when two attempts turn out to be done', async ({ payout }) => {
    await payout.failed();
    await payout.command('retryPayout');
    await payout.until(statusIs('claimed'));
    payout.service.shows('done', `${payout.code}-r2`);
    await payout.until(statusIs('done'));
    payout.service.shows('done');
    await payout.until(attentionIs('paid_twice'), '1 day');
  });

  test('needs no operator any more when it is done after all', async ({ payout }) => {
    await payout.failed();
    payout.service.shows('done');
    expect(await payout.until(statusIs('done'), '1 day')).toMatchObject({ attention: null });
    expect(payout.made()).toHaveLength(1);
  });

  test('needs attention when it was done and is returned', async ({ payout }) => {
    await payout.start();
    await payout.until(statusIs('claimed'));
    payout.service.shows('done');
    await payout.until(statusIs('done'));
    payout.service.shows('error');
    await payout.until(attentionIs('payout_returned'), '1 day');
  });

  test('because the service refused it shows the words and can be retried after two scans', async ({
    payout,
    sandbox,
  }) => {
    await payout.start('422');
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
