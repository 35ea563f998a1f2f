import { describe, expect } from 'vitest';
import type { Sandbox } from '../../src/dev/sandbox/server.js';
import { payoutsOn } from '../support/lifecycles/payouts.js';
import { attentionIs, statusIs } from '../support/payment.js';
import { test } from '../support/plain-payments.js';
import { refusalOf } from '../support/refusal.js';
import type { PaymentsStack } from '../support/payments-stack.js';
import { freshCode } from '../support/requests.js';
import { askedAbout, favourableAnswers, otherAnswers } from '../support/validation-answers.js';

const requested = (sandbox: Sandbox, code: string) =>
  sandbox.until(({ validations }) => validations.some(({ partner_code: sent }) => sent === code));

/** A transfer whose validation the service answers so at once. */
async function answered(stack: PaymentsStack, answer: unknown) {
  const code = freshCode();
  const { partner_code: asked, ...payee } = askedAbout;
  // Each has a code of its own, which the answer may repeat.
  const body = JSON.stringify(answer).replace(asked, code);
  const headers = { 'content-type': 'application/json' };
  stack.sandbox.fault({
    ...{ endpoint: 'POST /v1/account/validate', partner_code: code },
    fault: { effect: 'done', status: 200, headers, body },
  });
  const payout = await payoutsOn(stack).startTransfer(code, { ...payee, validate_account: true });
  return { code, payout };
}

describe('a transfer that has the account validated first', () => {
  test.for(['invalid', 'maybe'])(
    'is not sent on the answer %s, and an operator decides',
    async (word, { payout, sandbox }) => {
      await payout.startTransfer({ validate_account: true });
      await requested(sandbox, payout.code);
      await payout.postback({ status: word, partner_code: payout.code });
      const stopped = await payout.until(attentionIs('payout_failed'), '12 hours');
      expect(stopped.attempts[0]).toMatchObject({ status: 'never_sent' });
      expect(payout.made()).toHaveLength(0);
      expect(await payout.command('retryPayout', { reason: 'a batch' }).catch(refusalOf)).toBe(
        'DecisionNeeded',
      );
      await payout.signal('retryPayout');
      await payout.command('retryPayout', { attempt: 1, reason: 'the payee confirmed the account' });
      await payout.until(statusIs('claimed'));
      expect(payout.madeCodes()).toEqual([`${payout.code}-r2`]);
    },
  );

  test.for(otherAnswers)('is not sent when the service answers %j', async (answer, { payouts, stack }) => {
    const { code, payout } = await answered(stack, answer);
    const stopped = await payout.until(attentionIs('payout_failed'), '12 hours');
    expect(stopped.attempts[0]).toMatchObject({ status: 'never_sent' });
    expect(payouts.made(code)).toHaveLength(0);
  });

  test.for(favourableAnswers)('is sent when the service answers %j', async (answer, { payouts, stack }) => {
    const { code, payout } = await answered(stack, answer);
    await payout.until(statusIs('claimed'), '1 second');
    expect(payouts.madeCodes(code)).toEqual([code]);
  });

  test('is sent when the service answers that it is valid, with what was sent', async ({ payout }) => {
    payout.service.answers('POST /v1/account/validate', {
      effect: 'done',
      status: 200,
      body: { id: '7', partner_code: payout.code, valid: true, name_match: true },
    });
    await payout.startTransfer({ validate_account: true });
    await payout.until(statusIs('claimed'), '1 second');
    expect(payout.madeCodes()).toEqual([payout.code]);
  });

  test('is not sent when no answer comes in time', async ({ payout }) => {
    await payout.startTransfer({ validate_account: true });
    await payout.until(attentionIs('payout_failed'), '12 hours');
    expect(payout.made()).toHaveLength(0);
  });
});
