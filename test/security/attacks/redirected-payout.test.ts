import { expect } from 'vitest';
import { stateText } from '../../../src/cli/shared/tables.js';
import { moneyOfState } from '../../../src/domain/masked-payee.js';
import { currentDetails } from '../../../workflows/shared/details.js';
import { statusIs } from '../../support/payment.js';
import { test } from '../../support/plain-payments.js';
import { freshCode } from '../../support/requests.js';

const key = 'eve.smith@example.org';

test('a retry to another key stands in timeline, state and audit, with old and new payee, who and why', async ({
  payouts,
  sandbox,
}) => {
  const code = freshCode();
  const payout = await payouts.failed(code);
  const [first] = (await payout.state()).attempts;
  expect(first?.payee).toMatch(/^pix …/);
  await payout.command('retryPayout', { corrections: { pix: key }, by: 'eve', reason: 'wrong key' });
  await payout.until(statusIs('claimed'));
  sandbox.setPayoutStatus(`${code}-r2`, 'done');
  const state = await payout.until(statusIs('done'), '3 hours');

  const payee = `pix …ith@example.org, ${first?.payee?.replace(/.*(?=document)/, '') ?? ''}`;
  expect(state.attempts.map((each) => each.payee)).toEqual([first?.payee, payee]);
  expect(state.timeline).toContainEqual(
    expect.objectContaining({
      what: `Attempt 2 begun, corrected: pix. It pays ${payee}, not ${String(first?.payee)}`,
      ...{ by: 'eve', reason: 'wrong key' },
    }),
  );
  expect(moneyOfState(state, 'retryPayout')).toMatchObject({ payee, payee_before: first?.payee });
  for (const shown of [stateText(state), currentDetails(state).replaceAll('\\', '')])
    expect(shown).toContain(payee);
  expect(JSON.stringify(state)).not.toContain(key);
});
