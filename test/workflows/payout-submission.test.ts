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
  ])('is found by a scan after the answer %s', async (tag, { payout }) => {
    await payout.start(tag);
    await payout.until(statusIs('claimed'));
    expect(payout.made()).toHaveLength(1);
  });

  test('that an operator stated not to have happened is not paid again when a scan finds it after all', async ({
    payout,
    sandbox,
  }) => {
    await payout.start('accepted-then-dropped+listed-late');
    await payout.until(statusIs('submission_unknown'));
    await payout.command('resolveSubmission', { nothing_happened: true });
    sandbox.hurry();
    expect(await payout.command('retryPayout').catch(refusalOf)).toBe('AlreadyMoving');
    expect(await payout.state()).toMatchObject({ status: 'claimed' });
    expect(payout.made()).toHaveLength(1);
  });

  test('can be resolved by the identifier that an operator found, if it fits', async ({
    payout,
    payouts,
  }) => {
    const other = freshCode();
    await payouts.start(other, '', { value: 7 });
    await payout.start('accepted-then-dropped+unlisted');
    await payout.until(statusIs('submission_unknown'));
    const { idOf } = payouts;
    const wrong = await payout.command('resolveSubmission', { service_id: idOf(other) }).catch(refusalOf);
    expect(wrong).toBe('InvalidMessage');
    const resolved = await payout.command('resolveSubmission', { service_id: idOf(payout.code), by: 'ana' });
    expect(resolved).toMatchObject({ status: 'claimed', service_id: idOf(payout.code) });
  });
});

describe('answers that do not fit', () => {
  test('an unknown status needs attention and never ends anything', async ({ payout }) => {
    await payout.start();
    await payout.until(statusIs('claimed'));
    payout.service.shows('under_review');
    await payout.until(attentionIs('unrecognised_status'));
    payout.service.shows('done');
    await payout.until((state) => state.status === 'done' && state.attention === null);
  });

  test.for(['read-value-other-always', 'read-id-other-always'])(
    'a read with %s needs attention and is not applied',
    async (tag, { payout }) => {
      await payout.start(tag);
      await payout.until(statusIs('claimed'));
      payout.service.shows('done');
      const state = await payout.until(attentionIs('inconsistent_answer'));
      expect(state.status).toBe('claimed');
    },
  );

  test.for(['id-integer', 'nested', 'status-absent', 'status-upper', 'extra-fields', '201', '202'])(
    'the answer %s works as if it were usual',
    async (tag, { payout }) => {
      await payout.start(tag);
      await payout.until(statusIs('claimed'));
      payout.service.shows('done');
      await payout.until(statusIs('done'));
      expect(payout.made()).toHaveLength(1);
    },
  );

  test.for(['401', '403', '429'])(
    'the answer %s, which did nothing, is followed by another try',
    async (tag, { payout }) => {
      await payout.start(tag);
      await payout.until(statusIs('claimed'));
      expect(payout.made()).toHaveLength(1);
    },
  );
});
