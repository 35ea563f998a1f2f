import { describe, expect } from 'vitest';
import { statusIs, timelineShows } from '../support/payment.js';
import { test } from '../support/payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

const throttledForAnHour = { effect: 'none', status: 429, headers: { 'retry-after': '3600' } } as const;

describe('a retry whose fresh read is throttled for an hour', () => {
  test('is refused at once and has no effect later: an abandonment wins', async ({
    payouts,
    sandbox,
    clock,
  }) => {
    const code = freshCode();
    const payout = await payouts.failed(code);
    const endpoint = 'GET /v1/payout/{id}';
    sandbox.fault({ endpoint, partner_code: code, times: 10_000, fault: throttledForAnHour });
    // No time is skipped meanwhile: a command that waited for the hour would never be answered.
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('CouldNotRead');

    const abandoned = await payout.command('abandonPayout', { reason: 'paid in cash', by: 'rui' });
    expect(abandoned).toMatchObject({ status: 'abandoned', attention: null });
    sandbox.clearFaults();
    await clock.pass('3 days');
    expect(await payout.state()).toMatchObject({ status: 'abandoned', attempts: [{ number: 1 }] });
    expect(payouts.madeCodes(code)).toEqual([code]);
  });
});

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

describe('a further attempt that waits to be sent', () => {
  test.for([
    ['its token is rejected', 401],
    ['it is refused', 403],
    ['it is throttled', 429],
  ] as const)(
    'because %s is withdrawn by an abandonment, and not sent when the service takes payouts again',
    async ([, status], { payouts, sandbox, clock }) => {
      const code = freshCode();
      const payout = await payouts.failed(code);
      const endpoint = 'POST /v1/payout/pix';
      const fault = { effect: 'none', status } as const;
      sandbox.fault({ endpoint, partner_code: `${code}-r2`, times: 10_000, fault });
      await payout.command('retryPayout', { by: 'ana' });
      await payout.until(timelineShows('will be sent again'), '1 second');
      const abandoned = await payout.command('abandonPayout', { reason: 'paid in cash', by: 'rui' });
      expect(abandoned).toMatchObject({ status: 'abandoned', attempts: [{}, { status: 'never_sent' }] });
      sandbox.clearFaults();
      await clock.pass('3 days');
      expect(await payout.state()).toMatchObject({ status: 'abandoned' });
      expect(payouts.madeCodes(code)).toEqual([code]);
    },
  );

  test('is withdrawn by a cancel request, and waits for a decision', async ({ payouts, sandbox, clock }) => {
    const code = freshCode();
    const payout = await payouts.failed(code);
    payouts.throttle(`${code}-r2`, 10_000);
    await payout.command('retryPayout');
    await payout.until(timelineShows('will be sent again'), '1 second');
    await payout.cancel();
    await payout.until(({ attempts }) => attempts[1]?.status === 'never_sent', '1 second', 10);
    sandbox.clearFaults();
    await clock.pass('3 days');
    expect(await payout.state()).toMatchObject({ attention: 'payout_failed', closed: false });
    expect(payouts.madeCodes(code)).toEqual([code]);
  });
});

describe('a retry whose message is not usable', () => {
  const unusable: readonly (readonly [string, unknown])[] = [
    ['a misspelt field', { correction: { pix: 'right@example.com' } }],
    ['a number for who sends it', { by: 7 }],
    ['a text for the attempt', { attempt: '1' }],
    ['a list of corrections', { corrections: ['pix'] }],
    ['a number for a pix key', { corrections: { pix: 7 } }],
    ['a pix key that is none', { corrections: { pix: 'no key at all' } }],
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

describe('the timeline', () => {
  test('never drops who decided, however much happens afterwards', async ({ payouts, sandbox }) => {
    const code = freshCode();
    const payout = await payouts.failed(code);
    await payout.command('retryPayout', { reason: 'the bank was down', by: 'ana' });
    await payout.until(statusIs('claimed'));
    for (let change = 0; change < 70; change += 1) {
      sandbox.setPayoutStatus(`${code}-r2`, `step_${String(change)}`);
      await payout.signal('statusHint', { source: 'test' });
      await payout.until(statusIs(`step_${String(change)}`), '1 second');
    }
    const { timeline } = await payout.state();
    expect(timeline.length).toBeLessThanOrEqual(60);
    expect(timeline.filter(({ by }) => by === 'ana')).toMatchObject([{ reason: 'the bank was down' }]);
  });
});
