import { expect } from 'vitest';
import { statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';

test.for([
  ['a payout on its own is read all along', {}, 21, 100],
  [
    'a payout that is reconciled reads hourly after its first minute, and at once when it is hinted',
    { reconciled: true },
    5,
    7,
  ],
] as const)('%s', async ([, more, atLeast, atMost], { payout, sandbox }) => {
  const reads = () => sandbox.ledger().calls['GET /v1/payout/{id}'] ?? 0;
  const before = reads();
  await payout.start('', more);
  await payout.until(statusIs('claimed'), '1 second');
  await payout.after('3 hours');
  expect((await payout.state()).last_read?.cause).toBe('cadence');
  expect(reads() - before).toBeGreaterThanOrEqual(atLeast);
  expect(reads() - before).toBeLessThanOrEqual(atMost);
  payout.service.shows('done');
  await payout.signal('statusHint', { source: 'payoutReconciliation', status: 'done' });
  await payout.until(statusIs('done'), '1 second');
});
