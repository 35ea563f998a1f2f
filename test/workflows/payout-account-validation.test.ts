import { expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';

const validated = { validate_account: true };

test.for(['invalid', 'maybe'])(
  'a transfer is not sent on the answer %s, and an operator decides',
  async (status, { payout, sandbox }) => {
    await payout.startTransfer(validated);
    await sandbox.until(() => sandbox.ledger(payout.code).validations.length > 0);
    await payout.postback({ status, partner_code: payout.code });
    const stopped = await payout.until(attentionIs('payout_failed'), '12 hours');
    expect(stopped.attempts[0]).toMatchObject({ status: 'never_sent' });
    expect(payout.made()).toHaveLength(0);
    expect(await payout.refusal('retryPayout')).toBe('DecisionNeeded');
    await payout.signal('retryPayout');
    await payout.command('retryPayout', { attempt: 1 });
    await payout.until(statusIs('claimed'));
    expect(payout.madeCodes()).toEqual([`${payout.code}-r2`]);
  },
);

// Which answers let a transfer go: `test/domain/validation-answer.test.ts`.
test.for([
  [{ partner_code: 'another', valid: true }, 'never_sent', 0],
  [{ valid: true, name_match: true }, 'claimed', 1],
] as const)(
  'a transfer whose validation is answered %j at once is %s',
  async ([body, status, made], { payout }) => {
    payout.service.answers('POST /v1/account/validate', { status: 200, body });
    await payout.startTransfer(validated);
    await payout.until(({ attempts }) => attempts[0]?.status === status, '1 second');
    expect(payout.made()).toHaveLength(made);
  },
);

test('a transfer is not sent when no answer comes in time', async ({ payout }) => {
  await payout.startTransfer(validated);
  await payout.until(attentionIs('payout_failed'), '12 hours');
  expect(payout.made()).toHaveLength(0);
});
