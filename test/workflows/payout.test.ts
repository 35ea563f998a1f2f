import { describe, expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';

describe('a payout that can not be sent', () => {
  test('because the service throttles every call needs attention after an hour, not sooner', async ({
    payout,
  }) => {
    payout.service.fails('POST /v1/payout/pix', 429);
    await payout.start();
    expect(await payout.after('50 minutes')).toMatchObject({ status: 'submitting', attention: null });
    const unsent = await payout.until(attentionIs('not_sent'), '5 minutes', 8);
    expect(unsent.attention_detail).toContain('Whether it has taken the payout is looked up');
    payout.service.recovers();
    expect(await payout.until(statusIs('claimed'))).toMatchObject({ attention: null });
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('by the time that its input names is never sent', async ({ clock, payout }) => {
    payout.service.fails('POST /v1/payout/pix', 429);
    await payout.start('', { send_before: new Date((await clock.now()) + 30 * 60_000).toISOString() });
    const failed = await payout.until(attentionIs('payout_failed'), '1 minute', 40);
    expect(failed).toMatchObject({ cause: 'refused', attempts: [{ status: 'rejected' }] });
    expect(failed.attempts[0]?.error).toContain('send_before');
    payout.service.recovers();
    await payout.after('2 days');
    expect(payout.made()).toHaveLength(0);
  });
});

test.for([
  ['on its own is read all along', {}, 21, 100],
  [
    'that is reconciled reads hourly after its first minute, and at once when it is hinted',
    { reconciled: true },
    5,
    7,
  ],
] as const)('a payout %s', async ([, more, atLeast, atMost], { payout, sandbox }) => {
  const reads = () => sandbox.ledger().calls['GET /v1/payout/{id}'] ?? 0;
  const before = reads();
  await payout.start('', more);
  expect((await payout.after('3 hours')).last_read?.cause).toBe('cadence');
  expect(reads() - before).toBeGreaterThanOrEqual(atLeast);
  expect(reads() - before).toBeLessThanOrEqual(atMost);
  payout.service.shows('done');
  await payout.signal('statusHint', { source: 'payoutReconciliation', status: 'done' });
  await payout.until(statusIs('done'), '1 second');
});
