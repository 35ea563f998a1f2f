import { describe, expect, test } from 'vitest';
import {
  attemptNumberOf,
  attemptPartnerCode,
  batchIdProblem,
  batchPageId,
  referenceProblem,
  bulkRetryPageId,
  partnerCodeProblem,
  refundWorkflowId,
  workflowIdOf,
} from '../../src/domain/ids.js';

const card = '4111.1111_1111-1111';

describe('an id that somebody chooses', () => {
  test.for([
    ['partner_code of an order', (id: string) => partnerCodeProblem('card_order', id)],
    ['partner_code of a payout', (id: string) => partnerCodeProblem('payout', id)],
    ['batch_id', batchIdProblem],
    ['bulk_retry_id', referenceProblem],
  ] as const)('as a %s is 64 characters that every system takes, and no card number', ([, problem]) => {
    for (const good of ['a', '7', 'A.b_c', 'x'.repeat(64)]) expect(problem(good)).toBeUndefined();
    for (const bad of ['', '_a', '-a', '.a', 'a b', 'a/b', 'a\nb', 'a:', 'é', 'x'.repeat(65)]) {
      expect(problem(bad)).toContain('must be 1 to 64 characters');
    }
    expect(problem(card)).toContain('put a letter before');
    // Numbers that no brand has, and a card behind a letter.
    for (const good of ['4111111111111112', '20261120101112', 'A4111111111111111'])
      expect(problem(good)).toBeUndefined();
    // What the formula of the check digit makes of letters means nothing.
    for (const good of ['6l6iQ736Er1urd-qNs', '56G1v4.MJJqfFbNt5uR']) expect(problem(good)).toBeUndefined();
  });

  const payoutCode = (id: string) => partnerCodeProblem('payout', id);
  const orderCode = (id: string) => partnerCodeProblem('hosted_checkout', id);
  test.for([
    ['a payout does not look like one of its attempts', payoutCode, 'a-r12', 'attempts'],
    ['a payout may have -r and digits within', payoutCode, 'a-r12-b', undefined],
    ['an order has no attempts', orderCode, 'a-r12', undefined],
    ['a batch does not look like one of its pages', batchIdProblem, 'july-12', 'pages'],
    ['a batch may have - and digits within', batchIdProblem, '2026-07-payday', undefined],
    ['a batch may end in digits', batchIdProblem, 'july12', undefined],
    ['a bulk retry may end in - and digits', referenceProblem, 'july-12', undefined],
  ] as const)('of %s', ([, problem, id, part]) => {
    expect(problem(id) ?? '(none)').toContain(part ?? '(none)');
  });
});

describe('the workflow of a payment', () => {
  test.for([
    ['card_order', 'order-a'],
    ['hosted_checkout', 'order-a'],
    ['three_d_secure_order', 'order-a'],
    ['payout', 'payout-a'],
    ['refund', 'refund-a'],
    ['account_validation', 'account-validation-a'],
  ] as const)('of the kind %s is %s: one code is one order, in whichever way it is paid', ([kind, id]) => {
    expect(workflowIdOf(kind, 'a')).toBe(id);
  });
  test.for([
    ['A.b:9-z', 'refund-A.b:9-z'],
    ['a/b', 'refund-a%2Fb'],
    ['a%2Fb', 'refund-a%252Fb'],
    ['%u0100', 'refund-%25u0100'],
    ['\n', 'refund-%0A'],
    ['ÿ', 'refund-%FF'],
    ['一', 'refund-%u4E00'],
  ] as const)('of the refund of %j is %s, which holds that of the order', ([id, expected]) => {
    expect(refundWorkflowId(id)).toBe(expected);
    expect(unescape(expected)).toBe(`refund-${id}`);
  });
  test('of a page is that of its batch or bulk retry, and the number of the page', () => {
    expect(batchPageId('july', 1)).toBe('batch-july-1');
    expect(bulkRetryPageId('july-1', 2)).toBe('bulk-retry-july-1:2');
  });
});

describe('a code that the service shows', () => {
  test.for([
    ['a', 1],
    ['a-r2', 2],
    ['a-r10', 10],
    ['a-r123456789', 123_456_789],
  ] as const)('%s is attempt %s of payout a', ([code, number]) => {
    expect(attemptNumberOf('a', code)).toBe(number);
    expect(attemptPartnerCode('a', number)).toBe(code);
  });
  test.for('b b-r2 a-r1 a-r0 a-r02 a-r a-rx a-r2x a-rx2 a-r1234567890 ab-r2 a-2'.split(' '))(
    '%s is none of payout a',
    (code) => {
      expect(attemptNumberOf('a', code)).toBeUndefined();
    },
  );
});
