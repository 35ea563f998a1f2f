import { describe, expect } from 'vitest';
import { recordedAs } from '../support/keep-histories.js';
import { statusIs, timelineShows } from '../support/payment.js';
import { test } from '../support/payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

const throttledForAnHour = { effect: 'none', status: 429, headers: { 'retry-after': '3600' } } as const;

describe('a refusal', () => {
  test('is readable in the history without a key, and holds no stack trace', async ({
    payouts,
    sandbox,
    stack,
  }) => {
    const code = freshCode();
    const payout = await payouts.failed(code);
    sandbox.fault({
      endpoint: 'GET /v1/payout/{id}',
      partner_code: code,
      times: 10_000,
      fault: throttledForAnHour,
    });
    await payout.command('retryPayout').catch(refusalOf);
    const { events } = await stack.handleOf(payout).fetchHistory();
    const failures = (events ?? []).flatMap(
      ({ workflowExecutionUpdateCompletedEventAttributes: completed }) => completed?.outcome?.failure ?? [],
    );
    const message = 'The previous attempts could not be read just now, so nothing was sent. Try again later.';
    expect(failures).toMatchObject([{ message, stackTrace: '', encodedAttributes: null }]);
  });
});

describe('a retry whose message is not usable', () => {
  // What is usable is proven by `test/domain/command-messages.test.ts`; these would be taken without that check.
  const unusable: readonly unknown[] = [
    { reason: 'the bank was down' },
    { by: 'ana', reason: 'why', correction: { pix: 'right@example.com' } },
    { by: 'ana', reason: 'why', corrections: { pix: 'no key at all' } },
    'please',
    [],
  ];

  test('has no effect, as an Update as little as by a Signal, and the timeline shows it', async ({
    payouts,
    clock,
    stack,
  }) => {
    const code = freshCode();
    const payout = await payouts.failed(code);
    const handle = stack.handleOf(payout);
    for (const message of unusable) {
      const retried = handle.executeUpdate('retryPayout', { args: [message] });
      expect(await retried.catch(refusalOf)).toBe('InvalidMessage');
    }
    for (const message of unusable) await handle.signal('retryPayout', message);
    await payout.until(timelineShows('A retryPayout Signal had no effect'), '1 second', 10);
    await clock.pass('2 days');
    expect(await payout.state()).toMatchObject({ attention: 'payout_failed', attempts: [{ number: 1 }] });
    expect(payouts.madeCodes(code)).toEqual([code]);
  });
});

describe('a retry by Signal', () => {
  // Kept, since a Signal is checked again in each replay.
  test(
    'is taken with texts as long as they may be, after one that is ignored',
    recordedAs('payout-retried-by-signal'),
    async ({ payouts, sandbox, stack }) => {
      const code = freshCode();
      const payout = await payouts.failed(code);
      const handle = stack.handleOf(payout);
      await handle.signal('retryPayout', { by: 'ana', reason: 'the bank\nwas down' });
      await handle.signal('retryPayout', { by: 'a'.repeat(128), reason: 'The bank was down. '.repeat(26) });
      await payout.until(statusIs('claimed'));
      sandbox.setPayoutStatus(`${code}-r2`, 'done');
      const done = await payout.until(statusIs('done'));
      expect(done.attempts).toHaveLength(2);
      expect(timelineShows('reason must not have control or format characters')(done)).toBe(true);
      await payout.result();
    },
  );
});
