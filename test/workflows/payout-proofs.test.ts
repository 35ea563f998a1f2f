import { expect } from 'vitest';
import { attentionIs, statusIs, timelineShows } from '../support/payment.js';
import { test } from '../support/plain-payments.js';

test('a payout that was returned is paid again only by who names the attempt, not by a batch', async ({
  payout,
}) => {
  await payout.shownAs('done', 'error');
  expect(await payout.state()).toMatchObject({ attention: 'payout_returned' });
  await payout.command('acknowledgeAttention', { reason: 'paid in cash' });
  expect(await payout.state()).toMatchObject({ attention: 'payout_failed' });

  expect(await payout.refusal('retryPayout')).toBe('DecisionNeeded');
  await payout.signal('retryPayout', { reason: 'the bank was down' });
  await payout.after('2 days');
  expect(payout.madeCodes()).toEqual([payout.code]);

  await payout.command('retryPayout', { attempt: 1, reason: 'still owed' });
  await payout.until(statusIs('claimed'));
  expect(payout.madeCodes()).toEqual([payout.code, `${payout.code}-r2`]);
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
  expect(await payout.refusal('acknowledgeAttention', late)).toBe('OtherAttention');
  expect(await payout.state()).toMatchObject({ attention: 'payout_returned' });
  const seen = { attention: 'payout_returned', reason: 'paid in cash' };
  expect(await payout.command('acknowledgeAttention', seen)).toMatchObject({ attention: 'payout_failed' });
});

test('corrections that turn out not to be usable are forgotten by the next retry', async ({ payout }) => {
  await payout.shownAs('error');
  await payout.command('retryPayout', { corrections: { phone: '1234567890123456' } });
  await payout.until(({ attempts }) => attempts[1]?.status === 'never_sent');
  const corrected = { corrections: { pix: 'right@example.com' } };
  expect(await payout.refusal('retryPayout', corrected)).toBe('DecisionNeeded');
  await payout.command('retryPayout', { ...corrected, attempt: 2 });
  await payout.until(statusIs('claimed'));
  expect(payout.madeCodes()).toEqual([payout.code, `${payout.code}-r3`]);
});

test('a further attempt is not sent again once the previous one reads as done', async ({ payout }) => {
  await payout.shownAs('error');
  payout.throttle(`${payout.code}-r2`);
  await payout.command('retryPayout');
  await payout.until(timelineShows('is sent again'), '1 second');
  payout.service.shows('done');
  const done = await payout.until(statusIs('done'));
  expect(done.attempts).toMatchObject([{ status: 'done' }, { status: 'rejected' }]);
  expect(payout.madeCodes()).toEqual([payout.code]);
});

test('a payout that is listed and can not be followed is not declared unpaid', async ({ payout }) => {
  payout.service.lists({ partner_code: payout.code, status: 'claimed', value: 150.25 });
  await payout.start('accepted-then-dropped');
  const unknown = await payout.until(statusIs('submission_unknown'));
  expect(unknown.attention).toBe('inconsistent_answer');
  expect(timelineShows('holds it, but without what it takes')(unknown)).toBe(true);
  expect(await payout.refusal('resolveSubmission', { nothing_happened: true })).toBe('InvalidMessage');
});

test('a payout whose list can not be read needs attention after the scans', async ({ payout }) => {
  payout.service.fails('GET /v1/payouts');
  await payout.start('accepted-then-dropped');
  const unknown = await payout.until(attentionIs('submission_unknown'), '1 minute', 60);
  expect(unknown.attention_detail).toContain('could not be read completely');
});

test('an abandoned payout that moves needs attention, and is watched meanwhile', async ({ payout }) => {
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
