import { describe, expect, test } from 'vitest';
import { newAttempt, type Attempt } from '../../src/domain/payout-attempts.js';
import { resolveRefusal, retryRefusal } from '../../src/domain/payout-command-rules.js';

const payout = (change: Partial<Attempt> = {}) => {
  const latest: Attempt = { ...newAttempt(1, 'a', 0), phase: 'known', status: 'error', ...change };
  return { latest, attempts: [latest], method: 'pix' as const };
};

describe('a retry', () => {
  test.for([
    [{}, {}, undefined],
    [{}, { attempt: 1 }, undefined],
    [{}, { attempt: 2 }, 'WrongAttempt'],
    [{}, { boundTo: 2 }, 'WrongAttempt'],
    [{ wasDone: true }, {}, 'DecisionNeeded'],
    [{ wasDone: true }, { attempt: 1 }, undefined],
    [{ wasDone: true }, { attempt: 1, bulk_retry_id: 'b' }, 'DecisionNeeded'],
    [{}, { attempt: 1, bulk_retry_id: 'b' }, undefined],
    [{ phase: 'never_sent', stopped: 'account_invalid' }, {}, 'DecisionNeeded'],
    [{ phase: 'never_sent', stopped: 'corrections' }, {}, 'DecisionNeeded'],
    [{}, { corrections: { value: 1 } }, 'InvalidMessage'],
  ] as const)('of an attempt with %j, by %j: %s', ([change, message, refusal]) => {
    expect(retryRefusal(payout(change), message)?.type).toBe(refusal);
  });
});

describe('a retry that names no attempt, when the latest one was withdrawn unsent', () => {
  const before = (number: number, change: Partial<Attempt>) => ({ ...newAttempt(number, 'a', 0), ...change });
  const stopped = { phase: 'never_sent', stopped: 'account_invalid' } as const;
  const withdrawn = before(3, { phase: 'never_sent' });

  test.for([
    ['the validation had spoken against the account', stopped, 'DecisionNeeded'],
    ['the corrections before were not usable', { ...stopped, stopped: 'corrections' }, 'DecisionNeeded'],
    ['the attempt before it was sent and failed', { phase: 'known', status: 'error' }, undefined],
  ] as const)('%s', ([, previous, refusal]) => {
    const attempts = [before(1, stopped), before(2, previous), withdrawn];
    const failed = { ...payout(), latest: withdrawn, attempts };
    expect(retryRefusal(failed, {})?.type).toBe(refusal);
    expect(retryRefusal(failed, { attempt: 3 })).toBeUndefined();
  });
});

test('a retry that names no attempt is refused though the one that was done and came back is not the latest', () => {
  const { latest } = payout();
  const attempts = [
    { ...latest, wasDone: true },
    { ...latest, number: 2 },
  ];
  const failedTwice = { ...payout(), latest: { ...latest, number: 2 }, attempts };
  expect(retryRefusal(failedTwice, {})?.type).toBe('DecisionNeeded');
  expect(retryRefusal(failedTwice, { attempt: 2 })).toBeUndefined();
});

describe('a finding about the submission', () => {
  test.for([
    [{}, { nothing_happened: true }, undefined],
    [{}, { service_id: '1' }, undefined],
    [{}, {}, 'InvalidMessage'],
    [{}, { service_id: '1', nothing_happened: true }, 'InvalidMessage'],
    [{ listed: true }, { nothing_happened: true }, 'InvalidMessage'],
    [{ listed: true }, { service_id: '1' }, undefined],
  ] as const)('of an attempt with %j, by %j: %s', ([change, message, refusal]) => {
    expect(resolveRefusal(payout(change), message)?.type).toBe(refusal);
  });

  test('says first what is wrong with itself', () => {
    const both = { service_id: '1', nothing_happened: true };
    const refusal = resolveRefusal(payout({ listed: true }), both);
    expect(refusal?.message).toContain('either service_id or nothing_happened');
  });
});
