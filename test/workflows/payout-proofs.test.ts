import { describe, expect } from 'vitest';
import { attentionIs, statusIs, timelineShows } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';

describe('a payout that was returned', () => {
  test('is paid again only by who names the attempt, never by a batch that retries whatever failed', async ({
    payout,
  }) => {
    await payout.shownAs('done', 'error');
    expect(await payout.state()).toMatchObject({ attention: 'payout_returned' });
    await payout.command('acknowledgeAttention', { reason: 'paid in cash' });
    expect(await payout.state()).toMatchObject({ attention: 'payout_failed' });

    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('DecisionNeeded');
    await payout.signal('retryPayout', { reason: 'the bank was down' });
    await payout.after('2 days');
    expect(payout.madeCodes()).toEqual([payout.code]);

    await payout.command('retryPayout', { attempt: 1, reason: 'still owed' });
    await payout.until(statusIs('claimed'));
    expect(payout.madeCodes()).toEqual([payout.code, `${payout.code}-r2`]);
  });
});

describe('a payout whose previous attempt was returned', () => {
  test('is not paid again by a batch either, though its latest attempt was never done', async ({
    payout,
  }) => {
    await payout.shownAs('error');
    await payout.command('retryPayout');
    await payout.until(statusIs('claimed'));
    payout.service.shows('error', `${payout.code}-r2`);
    await payout.until(attentionIs('payout_failed'), '3 hours');
    for (const status of ['done', 'error']) {
      payout.service.shows(status);
      await payout.until(({ attempts }) => attempts[0]?.status === status, '3 hours');
    }
    await payout.command('acknowledgeAttention', { reason: 'paid in cash' });
    await payout.command('acknowledgeAttention', { reason: 'seen' }).catch(refusalOf);
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('DecisionNeeded');
    await payout.signal('retryPayout');
    await payout.after('2 days');
    expect(payout.madeCodes()).toEqual([payout.code, `${payout.code}-r2`]);
  });
});

test('an acknowledgement ends the attention that it names, and none that its sender was never shown', async ({
  payout,
}) => {
  await payout.shownAs('held');
  expect(await payout.state()).toMatchObject({ attention: 'unrecognised_status' });
  for (const status of ['done', 'error']) {
    payout.service.shows(status);
    await payout.until(statusIs(status), '3 hours');
  }
  const late = { attention: 'unrecognised_status', reason: 'it means under review' };
  expect(await payout.command('acknowledgeAttention', late).catch(refusalOf)).toBe('OtherAttention');
  expect(await payout.state()).toMatchObject({ attention: 'payout_returned' });
  const seen = { attention: 'payout_returned', reason: 'paid in cash' };
  expect(await payout.command('acknowledgeAttention', seen)).toMatchObject({ attention: 'payout_failed' });
});

describe('corrections that turn out not to be usable', () => {
  test('are forgotten: the next retry goes on from what was good', async ({ payout }) => {
    await payout.shownAs('error');
    await payout.command('retryPayout', { corrections: { phone: '1234567890123456' } });
    await payout.until(({ attempts }) => attempts[1]?.status === 'never_sent');
    const corrected = { corrections: { pix: 'right@example.com' } };
    expect(await payout.command('retryPayout', corrected).catch(refusalOf)).toBe('DecisionNeeded');
    await payout.command('retryPayout', { ...corrected, attempt: 2 });
    await payout.until(statusIs('claimed'));
    expect(payout.madeCodes()).toEqual([payout.code, `${payout.code}-r3`]);
  });

  test('as they are of the other way to pay are refused at once', async ({ payout }) => {
    await payout.shownAs('error');
    const refused = await payout.command('retryPayout', { corrections: { account: '1' } }).catch(refusalOf);
    expect(refused).toBe('InvalidMessage');
    expect(await payout.state()).toMatchObject({ attention: 'payout_failed', attempts: [{}] });
  });
});

describe('a further attempt that has to be sent again', () => {
  test('is sent once the previous one can be read again, and is still failed', async ({ payout }) => {
    await payout.shownAs('error');
    payout.throttle(`${payout.code}-r2`);
    await payout.command('retryPayout');
    await payout.until(timelineShows('is sent again'), '1 second');
    payout.service.answers('GET /v1/payout/{id}', { effect: 'none', status: 503 }, { times: 1 });
    const state = await payout.until(statusIs('claimed'));
    expect(state.timeline.map(({ what }) => what).join()).toContain('can not be read clearly');
    expect(payout.madeCodes()).toEqual([payout.code, `${payout.code}-r2`]);
  });
});

describe('a payout that the list holds, but not so that it can be followed', () => {
  test('needs attention with these words, and is not declared as not having happened', async ({ payout }) => {
    payout.service.answers(
      'GET /v1/payouts',
      {
        status: 200,
        body: { payouts: [{ partner_code: payout.code, status: 'claimed', value: 150.25 }], total_pages: 1 },
      },
      { times: 100 },
    );
    await payout.start('accepted-then-dropped');
    const unknown = await payout.until(statusIs('submission_unknown'));
    expect(unknown.attention).toBe('inconsistent_answer');
    expect(unknown.timeline.map(({ what }) => what).join()).toContain('holds it, but without what it takes');
    const message = { nothing_happened: true, reason: 'I saw nothing' };
    expect(await payout.command('resolveSubmission', message).catch(refusalOf)).toBe('InvalidMessage');
  });
});

describe('a payout whose list can not be read', () => {
  test('needs attention when the scans should have been over', async ({ payout }) => {
    payout.service.fails('GET /v1/payouts');
    await payout.start('accepted-then-dropped');
    const unknown = await payout.until(attentionIs('submission_unknown'), '1 minute', 60);
    expect(unknown.attention_detail).toContain('could not be read completely');
  });
});

describe('an abandoned payout', () => {
  test('that moves again needs attention, and is watched for as long as it moves', async ({ payout }) => {
    await payout.shownAs('error');
    await payout.command('abandonPayout', { reason: 'paid in cash' });
    payout.service.shows('processing');
    await payout.until(attentionIs('inconsistent_answer'), '1 day');
    await payout.command('acknowledgeAttention', { reason: 'seen' });
    expect(await payout.after('30 days')).toMatchObject({ closed: false });
    payout.service.shows('error');
    await payout.until(({ attempts }) => attempts[0]?.status === 'error', '1 day');
    expect(await payout.result()).toMatchObject({ status: 'abandoned', closed: true });
  });
});
