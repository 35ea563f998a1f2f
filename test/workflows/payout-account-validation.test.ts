import { expect } from 'vitest';
import { attentionIs, statusIs } from '../support/payment.js';
import { test as payments } from '../support/plain-payments.js';
import { askedAbout, favourableAnswers, otherAnswers } from '../support/validation-answers.js';

const validated = { validate_account: true };

/** Starts a transfer whose validation the service answers so at once. */
const test = payments.extend('answered', ({ payout }) => async (answer: unknown) => {
  const { partner_code: asked, ...payee } = askedAbout;
  // Each has a code of its own, which the answer may repeat.
  const body = JSON.stringify(answer).replace(asked, payout.code);
  const headers = { 'content-type': 'application/json' };
  payout.service.answers('POST /v1/account/validate', { status: 200, headers, body });
  await payout.startTransfer({ ...payee, ...validated });
});

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

test.for(otherAnswers)(
  'a transfer is not sent when the service answers %j',
  async (answer, { answered, payout }) => {
    await answered(answer);
    const stopped = await payout.until(attentionIs('payout_failed'), '12 hours');
    expect(stopped.attempts[0]).toMatchObject({ status: 'never_sent' });
    expect(payout.made()).toHaveLength(0);
  },
);

test.for([
  ...favourableAnswers,
  { id: '7', partner_code: askedAbout.partner_code, valid: true, name_match: true },
])('a transfer is sent when the service answers %j', async (answer, { answered, payout }) => {
  await answered(answer);
  await payout.until(statusIs('claimed'), '1 second');
  expect(payout.madeCodes()).toEqual([payout.code]);
});

test('a transfer is not sent when no answer comes in time', async ({ payout }) => {
  await payout.startTransfer(validated);
  await payout.until(attentionIs('payout_failed'), '12 hours');
  expect(payout.made()).toHaveLength(0);
});
