import { describe, expect, test } from 'vitest';
import type { Submitted } from '../../src/domain/submission.js';
import { isFavourable } from '../../src/domain/validation-answer.js';
import { validationStage } from '../../src/domain/validation-stages.js';
import {
  advanced,
  hasEnded,
  letsPass,
  newValidation,
  objectionOf,
  requested,
  stepDueAt,
  withPostback,
  type Validation,
} from '../../src/domain/validation.js';

const fresh = newValidation(0, 1);
const { until } = fresh;
const request = { partner_code: 'rent-1' };
const awaiting: Validation = { ...fresh, phase: 'awaiting', serviceId: 'v-1' };

const answered = (body: Record<string, unknown> | null): Submitted => ({
  ...{ kind: 'answered', serviceId: 'v-1', status: null, answer: body, read: null },
});
type Sent = Exclude<Submitted, { kind: 'again' }>;

test.for<[string, Sent, string]>([
  ['an answer that decides', answered({ valid: true }) as Sent, 'answered'],
  ['an answer that says nothing yet', answered({ id: 'v-1' }) as Sent, 'awaiting'],
  ['a refusal', { kind: 'refused', reason: 'no' }, 'refused'],
  ['a request that is not usable', { kind: 'invalid', reason: 'no' }, 'invalid'],
  ['an unknown outcome', { kind: 'unknown', reason: 'no', verifyFrom: 0, runWasReset: false }, 'unknown'],
])('after %s', ([, sent, phase]) => {
  expect(requested(sent, request).phase).toBe(phase);
});

describe('a postback', () => {
  test.for<[string, object | string, string]>([
    ['with a verdict answers it', { status: 'valid' }, 'answered'],
    ['that is not clear answers it too', 'seen', 'answered'],
    ['that calls it under way does not', { status: 'processing' }, 'awaiting'],
    ['of another code does not', { status: 'valid', partner_code: 'rent-2' }, 'awaiting'],
    ['of another identifier does not', { status: 'valid', id: 'v-2' }, 'awaiting'],
    ['of the same does', { status: 'valid', id: 'v-1', partner_code: 'rent-1' }, 'answered'],
  ])('%s', ([, body, phase]) => {
    const posted = { ...awaiting, ...withPostback(awaiting, JSON.stringify(body)) };
    expect(stepDueAt(posted, 1)).toBe(0);
    const after = { ...posted, ...advanced(posted, request, 1) };
    expect([after.phase, after.postbacks]).toEqual([phase, []]);
  });

  test('that came before the request was sent waits until it was', () => {
    const posted = { ...fresh, ...withPostback(fresh, '{"valid":true}') };
    expect([stepDueAt(posted, 1), validationStage(posted, 1)]).toEqual([0, 'request']);
    expect(stepDueAt({ ...posted, submission: { ...posted.submission, at: 5_000 } }, 1)).toBe(5_000);
  });

  test('is one of twenty that are kept', () => {
    const full: Validation = { ...awaiting, postbacks: Array.from({ length: 20 }, () => '{}') };
    expect(withPostback(full, '{}')).toEqual({});
  });
});

test('without an answer it ends as unanswered at its deadline, and not before', () => {
  expect(advanced(awaiting, request, until - 1)).toEqual({});
  expect(advanced(awaiting, request, until)).toEqual({ phase: 'unanswered' });
});

test('an answer that is not clear holds until the deadline, for a better one may come', () => {
  const unclear: Validation = {
    ...awaiting,
    ...{ phase: 'answered', answer: { source: 'postback', verified: false, body: 'seen' } },
  };
  expect([hasEnded(unclear, until - 1), hasEnded(unclear, until)]).toEqual([false, true]);
  expect(advanced(unclear, request, until)).toEqual({});
  expect(letsPass(unclear)).toBe(false);
});

test.for([
  ['answered', { valid: true }, true, 'The validation of the account was answered, and not clearly in'],
  ['answered', { valid: false }, false, 'The validation of the account was answered, and not clearly in'],
  ['awaiting', { valid: true }, false, 'The account was not validated (awaiting). why'],
  ['unknown', null, false, 'The account was not validated (unknown). why'],
] as const)('one that is %s by %j lets a transfer pass: %s', ([phase, body, passes, objection]) => {
  const validation: Validation = {
    ...fresh,
    ...{ phase, reason: 'why', answer: { source: 'response', verified: false, body } },
    isFavourable: isFavourable(body, request),
  };
  expect(letsPass(validation)).toBe(passes);
  expect(objectionOf(validation)).toContain(objection);
});
