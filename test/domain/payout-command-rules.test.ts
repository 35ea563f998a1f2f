import { describe, expect, test } from 'vitest';
import { newAttempt, type Attempt, type PayoutStage } from '../../src/domain/payout-attempts.js';
import { abandonRefusal, resolveRefusal, retryRefusal } from '../../src/domain/payout-command-rules.js';

const anyDigits = { document: () => true, pix: () => true };

const payout = (stage: PayoutStage, change: Partial<Attempt> = {}) => {
  const latest: Attempt = { ...newAttempt(1, 'a', 0), phase: 'known', status: 'error', ...change };
  return { latest, attempts: [latest], stage, status: 'error', method: 'pix' as const };
};

describe('a retry', () => {
  test.for([
    ['decide', {}, {}, undefined],
    ['decide', {}, { attempt: 1 }, undefined],
    ['decide', {}, { attempt: 2 }, 'WrongAttempt'],
    ['decide', {}, { boundTo: 2 }, 'WrongAttempt'],
    ['decide', { wasDone: true }, {}, 'DecisionNeeded'],
    ['decide', { wasDone: true }, { attempt: 1 }, undefined],
    ['decide', { wasDone: true }, { attempt: 1, bulk_retry_id: 'b' }, 'DecisionNeeded'],
    ['decide', {}, { attempt: 1, bulk_retry_id: 'b' }, undefined],
    ['decide', { phase: 'never_sent', stopped: 'account_invalid' }, {}, 'DecisionNeeded'],
    ['decide', { phase: 'never_sent', stopped: 'corrections' }, {}, 'DecisionNeeded'],
    ['decide', {}, { corrections: { value: 1 } }, 'InvalidMessage'],
    ['follow', {}, {}, 'NotParked'],
    ['submit', {}, {}, 'NotParked'],
    ['watch', {}, {}, 'NotParked'],
  ] as const)('in %s, of an attempt with %j, by %j: %s', ([stage, change, message, refusal]) => {
    expect(retryRefusal(payout(stage, change), message, anyDigits)?.type).toBe(refusal);
  });
});

describe('a retry that names no attempt, when the latest one was withdrawn unsent', () => {
  const withdrawn = { ...newAttempt(3, 'a-r3', 0), phase: 'never_sent' as const };
  const before = (change: Partial<Attempt>): Attempt => ({ ...newAttempt(2, 'a-r2', 0), ...change });

  test.for([
    [
      'the validation had spoken against the account',
      before({ phase: 'never_sent', stopped: 'account_invalid' }),
      'DecisionNeeded',
    ],
    [
      'the corrections before were not usable',
      before({ phase: 'never_sent', stopped: 'corrections' }),
      'DecisionNeeded',
    ],
    ['the attempt before it was sent and failed', before({ phase: 'known', status: 'error' }), undefined],
  ] as const)('%s', ([, previous, refusal]) => {
    const attempts = [
      before({ number: 1, phase: 'never_sent', stopped: 'account_invalid' }),
      previous,
      withdrawn,
    ];
    const parked = { ...payout('decide'), latest: withdrawn, attempts };
    expect(retryRefusal(parked, {}, anyDigits)?.type).toBe(refusal);
    expect(retryRefusal(parked, { attempt: 3 }, anyDigits)).toBeUndefined();
  });
});

test.for([
  ['submit', undefined],
  ['decide', undefined],
  ['verify', 'NotParked'],
  ['resolve', 'NotParked'],
  ['follow', 'NotParked'],
  ['watch', 'NotParked'],
] as const)('an abandonment in %s: %s', ([stage, refusal]) => {
  expect(abandonRefusal(payout(stage))?.type).toBe(refusal);
});

describe('a finding about the submission', () => {
  test.for([
    ['resolve', {}, { nothing_happened: true }, undefined],
    ['resolve', {}, { service_id: '1' }, undefined],
    ['resolve', {}, {}, 'InvalidMessage'],
    ['resolve', {}, { service_id: '1', nothing_happened: true }, 'InvalidMessage'],
    ['resolve', { listed: true }, { nothing_happened: true }, 'InvalidMessage'],
    ['resolve', { listed: true }, { service_id: '1' }, undefined],
    ['follow', { wasRead: false }, { service_id: '1' }, undefined],
    ['follow', { wasRead: true }, { service_id: '1' }, 'NotUnknown'],
    ['follow', { phase: 'refused' }, { service_id: '1' }, 'NotUnknown'],
    ['watch', {}, { service_id: '1' }, 'NotUnknown'],
    ['decide', { phase: 'refused' }, { service_id: '1' }, 'NotUnknown'],
  ] as const)('in %s, of an attempt with %j, by %j: %s', ([stage, change, message, refusal]) => {
    expect(resolveRefusal(payout(stage, change), message)?.type).toBe(refusal);
  });

  test('says first what is wrong with itself', () => {
    const both = { service_id: '1', nothing_happened: true };
    const refusal = resolveRefusal(payout('resolve', { listed: true }), both);
    expect(refusal?.message).toContain('either service_id or nothing_happened');
  });
});
