import { expect, test } from 'vitest';
import { isFavourable, readValidationAnswer } from '../../src/domain/validation-answer.js';
import { askedAbout, favourableAnswers, otherAnswers } from '../support/validation-answers.js';

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

test.for(favourableAnswers)('%j lets a transfer go', (body) => {
  expect(isFavourable(body, askedAbout)).toBe(true);
});

test.for(otherAnswers)('%j does not let a transfer go', (body) => {
  expect(isFavourable(body, askedAbout)).toBe(false);
});
