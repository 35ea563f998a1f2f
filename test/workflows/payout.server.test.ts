import { describe, expect } from 'vitest';
import { recordedAs } from '../support/keep-histories.js';
import { statusIs, attentionIs, timelineShows } from '../support/payment.js';
import { test } from '../support/payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';
import type { Sandbox } from '../../src/dev/sandbox/server.js';

describe('a payout that goes well', () => {
  test(
    'is submitted, followed by reads alone, and ends done at the end of its watch',
    recordedAs('payout-done-by-reads-alone'),
    async ({ payouts, sandbox }) => {
      const code = freshCode();
      const payout = await payouts.start(code);
      const claimed = await payout.until(statusIs('claimed'));
      expect(claimed).toMatchObject({ attention: null, attempts: [{ number: 1, partner_code: code }] });
      sandbox.setPayoutStatus(code, 'processing');
      await payout.until(statusIs('processing'));
      sandbox.setPayoutStatus(code, 'done');
      const result = await payout.result();
      expect(result).toMatchObject({ status: 'done', closed: true, attention: null, value: 150.25 });
      expect(payouts.made(code)).toHaveLength(1);
    },
  );
});

describe('a caller who waits', () => {
  test('is answered when the status comes, and the sixth at once is refused', async ({
    payouts,
    sandbox,
  }) => {
    const code = freshCode();
    const payout = await payouts.start(code);
    await payout.until(statusIs('claimed'));
    const wait = () =>
      payout.command('awaitStatus', { statuses: ['done'], timeout_seconds: 30 }).catch(refusalOf);
    const waits = Array.from({ length: 6 }, wait);
    expect(await Promise.race(waits)).toBe('TooManyWaiting');
    sandbox.setPayoutStatus(code, 'done');
    await payout.signal('statusHint', { source: 'test' });
    const answers = await Promise.all(waits);
    expect(answers.filter((answer) => answer !== 'TooManyWaiting')).toHaveLength(5);
    for (const answer of answers) if (typeof answer !== 'string') expect(answer.status).toBe('done');
  });
});

describe('a payout that fails', () => {
  test(
    'waits for an operator, is retried with a corrected key as -r2, and is done',
    recordedAs('payout-retried-with-a-correction'),
    async ({ payouts, sandbox }) => {
      const code = freshCode();
      const payout = await payouts.failed(code);
      const failed = await payout.state();
      expect(failed.attention_detail).toContain('retryPayout');

      const retried = await payout.command('retryPayout', {
        attempt: 1,
        corrections: { pix: 'right@example.com' },
        reason: 'wrong key',
        by: 'ana',
      });
      expect(retried).toMatchObject({
        attempts: [{}, {}],
        awaiting: 'the outcome of the step under way',
      });
      await payout.until(statusIs('claimed'));
      sandbox.setPayoutStatus(`${code}-r2`, 'done');
      const done = await payout.until(statusIs('done'));
      expect(done.attention).toBeNull();
      expect(done.attempts.map(({ partner_code: sent, status }) => [sent, status])).toEqual([
        [code, 'error'],
        [`${code}-r2`, 'done'],
      ]);
      expect(done.timeline.find(({ by }) => by === 'ana')).toMatchObject({ reason: 'wrong key' });
      expect(JSON.stringify(done.timeline)).not.toContain('right@example.com');
      expect(await payout.result()).toMatchObject({ status: 'done', closed: true });
    },
  );

  test(
    'and turns done before the retry is not paid again: a fresh read comes first',
    recordedAs('payout-done-before-its-retry'),
    async ({ payouts, sandbox }) => {
      const code = freshCode();
      const payout = await payouts.failed(code);
      sandbox.setPayoutStatus(code, 'done');
      const command = { by: 'ana', reason: 'the bank is back' };
      expect(await payout.command('retryPayout', command).catch(refusalOf)).toBe('AlreadyMoving');
      const state = await payout.state();
      expect(state).toMatchObject({ status: 'done', attention: null });
      const refused = state.timeline.filter(({ what }) => what.includes('Refused (retryPayout by ana)'));
      // No line of a decision, which would be kept for good.
      expect(refused.map(({ by }) => by)).toEqual([undefined]);
      expect(payouts.made(code)).toHaveLength(1);
    },
  );

  test(
    'can be abandoned, and needs attention when it is done after all',
    recordedAs('payout-abandoned-then-done'),
    async ({ payouts, sandbox }) => {
      const code = freshCode();
      const payout = await payouts.failed(code);
      const abandoned = await payout.command('abandonPayout', { reason: 'paid in cash', by: 'rui' });
      expect(abandoned).toMatchObject({ status: 'abandoned', attention: null });
      sandbox.setPayoutStatus(code, 'done');
      await payout.until(attentionIs('inconsistent_answer'), '1 day');
      expect(await payout.command('acknowledgeAttention', { by: 'rui' })).toMatchObject({ attention: null });
      expect(await payout.result()).toMatchObject({ status: 'done' });
    },
  );
});

describe('a payout of unknown outcome', () => {
  test(
    'that was accepted and then dropped is found by a scan and made once',
    recordedAs('payout-found-by-a-scan'),
    async ({ payouts, sandbox }) => {
      const code = freshCode();
      const payout = await payouts.start(code, 'accepted-then-dropped');
      await payout.until(statusIs('claimed'));
      sandbox.setPayoutStatus(code, 'done');
      await payout.until(statusIs('done'));
      expect(payouts.made(code)).toHaveLength(1);
    },
  );

  test(
    'that scans never find needs an operator, who can state that nothing had happened',
    recordedAs('payout-never-found'),
    async ({ payouts }) => {
      const code = freshCode();
      const payout = await payouts.start(code, 'dropped-before');
      const unknown = await payout.until(statusIs('submission_unknown'));
      expect(unknown.attention).toBe('submission_unknown');
      expect(await payout.command('retryPayout').catch(refusalOf)).toBe('NotParked');
      const resolved = await payout.command('resolveSubmission', { nothing_happened: true, by: 'ana' });
      expect(resolved).toMatchObject({ status: 'rejected', attention: 'payout_failed' });
      await payout.command('retryPayout', { corrections: { pix: 'maria.silva@example.com' } });
      await payout.until(statusIs('claimed'));
      expect(payouts.made(code).map(({ partner_code: sent }) => sent)).toEqual([`${code}-r2`]);
    },
  );
});

describe('a further attempt that has to be sent again', () => {
  test(
    'is not sent when the previous one has turned done meanwhile',
    recordedAs('payout-proven-before-it-is-sent-again'),
    async ({ payouts, sandbox }) => {
      const code = freshCode();
      const payout = await payouts.shownAs(code, 'error');
      payouts.throttle(`${code}-r2`);
      await payout.command('retryPayout');
      await payout.until(timelineShows('is sent again'), '1 second');
      sandbox.setPayoutStatus(code, 'done');
      const done = await payout.until(statusIs('done'));
      expect(done.attempts).toMatchObject([{ status: 'done' }, { status: 'rejected' }]);
      expect(payouts.madeCodes(code)).toEqual([code]);
    },
  );
});

describe('an operator who resolves a submission', () => {
  test(
    'by the identifier of another payout of the same value is refused: the list shows whose it is',
    recordedAs('payout-resolved-after-a-scan'),
    async ({ payouts, sandbox }) => {
      const [code, other] = [freshCode(), freshCode()];
      await payouts.shownAs(other, 'error');
      const payout = await payouts.start(code, 'dropped-before');
      await payout.until(statusIs('submission_unknown'));
      const theirs = sandbox.ledger(other).payouts[0]?.id;
      const refused = await payout
        .command('resolveSubmission', { service_id: String(theirs) })
        .catch(refusalOf);
      expect(refused).toBe('InvalidMessage');
      expect(await payout.state()).toMatchObject({ status: 'submission_unknown', service_id: null });
    },
  );
});

const requested = (sandbox: Sandbox, code: string) =>
  sandbox.until(({ validations }) => validations.some(({ partner_code: sent }) => sent === code));

describe('a transfer that has the account validated first', () => {
  test(
    'is sent once the answer is clearly in favour of it',
    recordedAs('payout-account-validated-first'),
    async ({ payouts, sandbox }) => {
      const code = freshCode();
      const payout = await payouts.startTransfer(code, { validate_account: true });
      await requested(sandbox, code);
      expect(payouts.made(code)).toHaveLength(0);
      await payout.postback({ status: 'valid', partner_code: code });
      await payout.until(statusIs('claimed'));
      expect(payouts.made(code)).toHaveLength(1);
    },
  );
});
