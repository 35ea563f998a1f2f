import { expect, test } from 'vitest';
import { startProblem } from '../../src/domain/start-check.js';

const payout = { workflowId: 'payout-a', attempt: 1, hasRetryPolicy: false, hasCronSchedule: false };
const refund = { ...payout, workflowId: 'refund-ord_1', serviceId: 'ord_1' };

test.for([
  ['payout', 'a', payout, undefined],
  ['payout', 'a', { ...payout, hasTimeout: false }, undefined],
  ['payout', 'a', { ...payout, hasTimeout: true }, 'execution or run timeout'],
  ['payout', 'a', { ...payout, attempt: 2 }, 'retry policy'],
  ['payout', 'a', { ...payout, hasRetryPolicy: true }, 'retry policy'],
  ['payout', 'a', { ...payout, hasCronSchedule: true }, 'cron schedule'],
  ['payout', 'a', { ...payout, workflowId: 'payout-b' }, 'must be payout-a'],
  ['payout', 7, payout, 'partner_code must be a text'],
  ['payout', 'a-r2', { ...payout, workflowId: 'payout-a-r2' }, 'must not end in -r'],
  ['card_order', 'a', payout, 'must be order-a'],
  ['refund', 'a', refund, undefined],
  ['refund', 'a', { ...refund, workflowId: 'refund-a' }, 'must be refund-ord_1'],
  ['refund', 'a', { ...refund, serviceId: 1 }, 'service_id must be a text'],
  ['refund', 'a', { ...refund, hasTimeout: true }, 'execution or run timeout'],
] as const)('a %s with the partner_code %s and %j: %s', ([kind, partnerCode, info, problem]) => {
  expect(startProblem(kind, partnerCode, info) ?? '(none)').toContain(problem ?? '(none)');
});
