import { describe, expect } from 'vitest';
import { recordedAs } from '../support/keep-histories.js';
import { test } from '../support/payments.js';
import { freshCode } from '../support/requests.js';

describe('the answer to an account validation', () => {
  test(
    'comes in the response when that already holds it',
    recordedAs('account-validation-answered-at-once'),
    async ({ validations, sandbox }) => {
      const code = freshCode();
      sandbox.fault({
        endpoint: 'POST /v1/account/validate',
        partner_code: code,
        fault: { status: 200, body: { id: '77', valid: true } },
      });
      const result = await (await validations.start(code)).result('1 second', 10);
      expect(result).toMatchObject({
        status: 'answered',
        answer: { source: 'response', verified: false, body: { id: '77', valid: true } },
      });
    },
  );
});
