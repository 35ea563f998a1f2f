import { describe, expect } from 'vitest';
import { attentionIs, statusIs, timelineShows } from '../support/payment.js';
import { test } from '../support/plain-payments.js';

const throttledForAnHour = { effect: 'none', status: 429, headers: { 'retry-after': '3600' } } as const;

describe('a retry whose fresh read is throttled for an hour', () => {
  test('is refused at once and has no effect later: an abandonment wins', async ({ payout }) => {
    await payout.failed();
    payout.service.answers('GET /v1/payout/{id}', throttledForAnHour, { times: 10_000 });
    // No time is skipped meanwhile: a command that waited for the hour would never be answered.
    expect(await payout.refusal('retryPayout')).toBe('CouldNotRead');

    const abandoned = await payout.command('abandonPayout', { reason: 'paid in cash', by: 'rui' });
    expect(abandoned).toMatchObject({ status: 'abandoned', attention: null });
    payout.service.recovers();
    expect(await payout.after('3 days')).toMatchObject({ status: 'abandoned', attempts: [{ number: 1 }] });
    expect(payout.madeCodes()).toEqual([payout.code]);
  });
});

describe('a further attempt that waits to be sent', () => {
  test.for([
    ['its token is rejected', 401],
    ['it is refused', 403],
    ['it is throttled', 429],
  ] as const)(
    'because %s is withdrawn by an abandonment, and not sent when the service takes payouts again',
    async ([, status], { payout }) => {
      await payout.failed();
      payout.service.fails('POST /v1/payout/pix', status, `${payout.code}-r2`);
      await payout.command('retryPayout', { by: 'ana' });
      await payout.until(timelineShows('is sent again'), '1 second');
      const abandoned = await payout.command('abandonPayout', { reason: 'paid in cash', by: 'rui' });
      expect(abandoned).toMatchObject({ status: 'abandoned', attempts: [{}, { status: 'rejected' }] });
      payout.service.recovers();
      expect(await payout.after('3 days')).toMatchObject({ status: 'abandoned' });
      expect(payout.madeCodes()).toEqual([payout.code]);
    },
  );

  test('is not sent when it is abandoned while the proof for it is made', async ({
    payout,
    slowList,
    stack,
  }) => {
    await payout.failed();
    payout.throttle(`${payout.code}-r2`);
    await payout.command('retryPayout');
    let abandoned: Promise<unknown> | undefined;
    slowList(1, () => {
      abandoned ??= stack.take(payout.workflowId, 'abandonPayout', { reason: 'paid in cash', by: 'rui' });
    });
    await payout.until(statusIs('abandoned'));
    await abandoned;
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('is withdrawn by a cancel request, and waits for a decision', async ({ payout }) => {
    await payout.failed();
    payout.service.fails('POST /v1/payout/pix', 429, `${payout.code}-r2`);
    await payout.command('retryPayout');
    await payout.until(timelineShows('is sent again'), '1 second');
    await payout.cancel();
    await payout.until(({ attempts }) => attempts[1]?.status === 'rejected', '1 second', 10);
    payout.service.recovers();
    expect(await payout.after('3 days')).toMatchObject({ attention: 'payout_failed', closed: false });
    expect(payout.madeCodes()).toEqual([payout.code]);
  });
});

describe('the timeline', () => {
  test('of a payout whose retry is refused again and again stays short, and keeps the decisions before', async ({
    payout,
  }) => {
    await payout.failed();
    await payout.command('retryPayout', { reason: 'the bank was down', by: 'ana' });
    await payout.until(statusIs('claimed'));
    payout.service.shows('error', `${payout.code}-r2`);
    await payout.until(attentionIs('payout_failed'), '3 hours');
    payout.service.fails('GET /v1/payout/{id}');
    payout.service.fails('GET /v1/payout/{id}', 503, `${payout.code}-r2`);
    for (let tried = 0; tried < 100; tried += 1) {
      const command = { reason: `tried ${String(tried)} times`, by: ['rui', 'eva'][tried % 2] };
      expect(await payout.refusal('retryPayout', command)).toBe('CouldNotRead');
    }
    const { timeline } = await payout.state();
    expect(timeline.length).toBeLessThanOrEqual(60);
    expect(JSON.stringify(timeline).length).toBeLessThan(16_384);
    expect(timeline.filter(({ by }) => by !== undefined)).toMatchObject([{ reason: 'the bank was down' }]);
    expect(timeline.at(-1)?.what).toMatch(/^Refused \(retryPayout by eva\)/);
  });
});
