import { describe, expect } from 'vitest';
import type { Sandbox } from '../../src/dev/sandbox/server.js';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import { freshCode } from '../support/requests.js';

const requested = (sandbox: Sandbox, code: string) =>
  sandbox.until(({ validations }) => validations.some(({ partner_code: sent }) => sent === code));

describe('a transfer that has the account validated first', () => {
  test.for(['invalid', 'maybe'])(
    'is not sent on the answer %s, and an operator decides',
    async (word, { payouts, sandbox }) => {
      const code = freshCode();
      const payout = await payouts.startTransfer(code, { validate_account: true });
      await requested(sandbox, code);
      await payout.postback({ status: word, partner_code: code });
      const stopped = await payout.until(attentionIs('payout_failed'), '12 hours');
      expect(stopped.attempts[0]).toMatchObject({ status: 'never_sent' });
      expect(payouts.made(code)).toHaveLength(0);
      expect(await payout.command('retryPayout', { reason: 'a batch' }).catch(refusalOf)).toBe(
        'DecisionNeeded',
      );
      await payout.signal('retryPayout');
      await payout.command('retryPayout', { attempt: 1, reason: 'the payee confirmed the account' });
      await payout.until(statusIs('claimed'));
      expect(payouts.madeCodes(code)).toEqual([`${code}-r2`]);
    },
  );

  test.for([
    { valid: true, name_match: false },
    { status: 'approved', beneficiaryVerificationStatus: 'NOT_MATCHED' },
    { status: 'validated', valid: 0 },
    { status: 'valid', is_valid: 'false' },
    { valid: true, errors: [{ message: 'account closed' }] },
    { valid: true, document: '111.444.777-35' },
    { valid: true, message: 'Conta localizada' },
  ])('is not sent when the service answers %j', async (body, { payouts, sandbox }) => {
    const code = freshCode();
    sandbox.fault({
      ...{ endpoint: 'POST /v1/account/validate', partner_code: code },
      fault: { effect: 'done', status: 200, body },
    });
    const payout = await payouts.startTransfer(code, { validate_account: true });
    const stopped = await payout.until(attentionIs('payout_failed'), '12 hours');
    expect(stopped.attempts[0]).toMatchObject({ status: 'never_sent' });
    expect(payouts.made(code)).toHaveLength(0);
  });

  test('is sent when the service answers that it is valid, with what was sent', async ({
    payouts,
    sandbox,
  }) => {
    const code = freshCode();
    sandbox.fault({
      ...{ endpoint: 'POST /v1/account/validate', partner_code: code },
      fault: {
        effect: 'done',
        status: 200,
        body: { id: '7', partner_code: code, valid: true, name_match: true },
      },
    });
    const payout = await payouts.startTransfer(code, { validate_account: true });
    await payout.until(statusIs('claimed'), '1 second');
    expect(payouts.madeCodes(code)).toEqual([code]);
  });

  test('is not sent when no answer comes in time', async ({ payouts }) => {
    const code = freshCode();
    const payout = await payouts.startTransfer(code, { validate_account: true });
    await payout.until(attentionIs('payout_failed'), '12 hours');
    expect(payouts.made(code)).toHaveLength(0);
  });
});
