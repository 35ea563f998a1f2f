import { expect, test } from 'vitest';
import { isUrgentPostback } from '../../../src/gateway/payments/postback-urgency.js';

test.for([
  ['payout-a', '{"status":"processing"}', false],
  ['payout-a', '{"status":" Claimed "}', false],
  ['payout-a', '{"status":"done"}', true],
  ['payout-a', '{"status":"error"}', true],
  ['payout-a', '{"status":"held"}', true],
  ['payout-a', '{"status":7}', true],
  ['payout-a', 'processing', true],
  ['payout-a', '', true],
  ['order-a', '{"status":"processing"}', true],
  ['account-validation-a', '{"status":"processing"}', true],
] as const)('a postback for %s that says %j is urgent: %s', ([workflowId, body, urgent]) => {
  expect(isUrgentPostback(workflowId, body)).toBe(urgent);
});
