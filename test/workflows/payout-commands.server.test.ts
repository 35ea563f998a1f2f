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
  const unusable: readonly (readonly [string, unknown])[] = [
    ['nothing', {}],
    ['nobody who sends it', { reason: 'the bank was down' }],
    ['no reason', { by: 'ana' }],
    ['a misspelt field', { by: 'ana', reason: 'why', correction: { pix: 'right@example.com' } }],
    ['a number for who sends it', { by: 7, reason: 'why' }],
    ['a text for the attempt', { by: 'ana', reason: 'why', attempt: '1' }],
    ['a list of corrections', { by: 'ana', reason: 'why', corrections: ['pix'] }],
    ['a number for a pix key', { by: 'ana', reason: 'why', corrections: { pix: 7 } }],
    ['a pix key that is none', { by: 'ana', reason: 'why', corrections: { pix: 'no key at all' } }],
    ['a text', 'please'],
    ['a list', []],
  ];

  test.for(unusable)('as an Update is refused: %s', async ([, message], { payouts, stack }) => {
    const code = freshCode();
    const payout = await payouts.failed(code);
    const retried = stack.handleOf(payout).executeUpdate('retryPayout', { args: [message] });
    expect(await retried.catch(refusalOf)).toBe('InvalidMessage');
    expect(payouts.madeCodes(code)).toEqual([code]);
  });

  test('as a Signal does nothing, and the timeline shows it', async ({ payouts, clock, stack }) => {
    const code = freshCode();
    const payout = await payouts.failed(code);
    for (const [, message] of unusable) await stack.handleOf(payout).signal('retryPayout', message);
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
