import { expect, test } from 'vitest';
import { isFavourable, readValidationAnswer } from '../../src/domain/validation-answer.js';

test.for([
  [{ status: 'valid' }, 'verdict'],
  [{ status: 'INVALID' }, 'verdict'],
  [{ status: 'Not Found' }, 'verdict'],
  [{ valid: false }, 'verdict'],
  [{ data: { is_valid: true } }, 'verdict'],
  [{ result: 'approved' }, 'verdict'],
  [{ id: '1', status: 'processing' }, 'pending'],
  [{ status: 'in progress' }, 'pending'],
  [{ account_validation: { status: 'pending' } }, 'pending'],
  [{ success: true, status: 'processing' }, 'pending'],
  [{ success: false }, 'verdict'],
  [{ success: true }, 'unclear'],
  [{ status: 'ok' }, 'unclear'],
  [{ status: 'under_review' }, 'unclear'],
  [{ id: '1' }, 'unclear'],
  ['a text', 'unclear'],
  [null, 'unclear'],
] as const)('%j is %s', ([body, expected]) => {
  expect(readValidationAnswer(body)).toBe(expected);
});

test.for([
  { status: 'valid' },
  { success: true, data: { valid: true } },
  { status: 'success', result: 'approved' },
  { data: { status: 'MATCHED' } },
  { status: 'approved', data: { account: { bank: { valid: true } } } },
])('%j lets a transfer go', (body) => {
  expect(isFavourable(body)).toBe(true);
});

test.for([
  { success: true },
  { status: 'done' },
  { success: true, status: 'processing' },
  { success: true, data: { valid: false } },
  { status: 'success', data: { status: 'invalid' } },
  { status: 'ok', validation: { valid: false } },
  { valid: true, data: { status: 'rejected' } },
  { valid: true, status: 'pending' },
  { status: 'approved', data: { account: { valid: false } } },
  { valid: true, checks: [{ account: { result: 'rejected' } }] },
  { status: 'valid', a: { b: { c: { d: { e: { success: false } } } } } },
  'valid',
  null,
])('%j does not let a transfer go', (body) => {
  expect(isFavourable(body)).toBe(false);
});
