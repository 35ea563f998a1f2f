import { expect, test } from 'vitest';
import { readValidationAnswer } from '../../src/domain/validation-answer.js';

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
  [{ status: 'under_review' }, 'unclear'],
  [{ id: '1' }, 'unclear'],
  ['a text', 'unclear'],
  [null, 'unclear'],
] as const)('%j is %s', ([body, expected]) => {
  expect(readValidationAnswer(body)).toBe(expected);
});
