import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

describe('a payout of unknown outcome', () => {
  test.for([
    'accepted-then-dropped',
    'truncated',
    'html',
    'empty',
    '500-after',
    '504-after',
    'id-absent',
    '204',
    '307-after',
    '409-after',
  ])('is found by a scan after the answer %s', async (tag, { payouts }) => {
    const code = freshCode();
    const payout = await payouts.start(code, tag);
    await payout.until(statusIs('claimed'));
    expect(payouts.made(code)).toHaveLength(1);
  });

  test('that an operator stated not to have happened is not paid again when a scan finds it after all', async ({
    payouts,
    sandbox,
  }) => {
    const code = freshCode();
    const payout = await payouts.start(code, 'accepted-then-dropped+listed-late');
    await payout.until(statusIs('submission_unknown'));
    await payout.command('resolveSubmission', { nothing_happened: true });
    sandbox.hurry();
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('AlreadyMoving');
    expect(await payout.state()).toMatchObject({ status: 'claimed' });
    expect(payouts.made(code)).toHaveLength(1);
  });

  test('can be resolved by the identifier that an operator found, if it fits', async ({ payouts }) => {
    const code = freshCode();
    const other = freshCode();
    await payouts.start(other, '', { value: 7 });
    const payout = await payouts.start(code, 'accepted-then-dropped+unlisted');
    await payout.until(statusIs('submission_unknown'));
    const { idOf } = payouts;
    const wrong = await payout.command('resolveSubmission', { service_id: idOf(other) }).catch(refusalOf);
    expect(wrong).toBe('InvalidMessage');
    const resolved = await payout.command('resolveSubmission', { service_id: idOf(code), by: 'ana' });
    expect(resolved).toMatchObject({ status: 'claimed', service_id: idOf(code) });
  });
});

describe('answers that do not fit', () => {
  test('an unknown status needs attention and never ends anything', async ({ payouts, sandbox }) => {
    const code = freshCode();
    const payout = await payouts.start(code);
    await payout.until(statusIs('claimed'));
    sandbox.setPayoutStatus(code, 'under_review');
    await payout.until(attentionIs('unrecognised_status'));
    sandbox.setPayoutStatus(code, 'done');
    await payout.until((state) => state.status === 'done' && state.attention === null);
  });

  test.for(['read-value-other-always', 'read-id-other-always'])(
    'a read with %s needs attention and is not applied',
    async (tag, { payouts, sandbox }) => {
      const code = freshCode();
      const payout = await payouts.start(code, tag);
      await payout.until(statusIs('claimed'));
      sandbox.setPayoutStatus(code, 'done');
      const state = await payout.until(attentionIs('inconsistent_answer'));
      expect(state.status).toBe('claimed');
    },
  );

  test.for(['id-integer', 'nested', 'status-absent', 'status-upper', 'extra-fields', '201', '202'])(
    'the answer %s works as if it were usual',
    async (tag, { payouts, sandbox }) => {
      const code = freshCode();
      const payout = await payouts.start(code, tag);
      await payout.until(statusIs('claimed'));
      sandbox.setPayoutStatus(code, 'done');
      await payout.until(statusIs('done'));
      expect(payouts.made(code)).toHaveLength(1);
    },
  );

  test.for(['401', '403', '429'])(
    'the answer %s, which did nothing, is followed by another try',
    async (tag, { payouts }) => {
      const code = freshCode();
      const payout = await payouts.start(code, tag);
      await payout.until(statusIs('claimed'));
      expect(payouts.made(code)).toHaveLength(1);
    },
  );
});
