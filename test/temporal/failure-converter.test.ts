import { createContext, runInContext } from 'node:vm';
import { ApplicationFailure, defaultPayloadConverter } from '@temporalio/common';
import { loadDataConverter } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { expect, test } from 'vitest';
import { askAgain } from '../../src/domain/ask-again.js';
import { failureConverterPath } from '../../src/temporal/data-converter.js';

// As the SDK loads it.
const { failureConverter } = loadDataConverter({ failureConverterPath });
const messageOf = (error: unknown) => failureConverter.errorToFailure(error, defaultPayloadConverter).message;

test('“Ask again” can be read without a codec, also from the V8 context of a workflow', () => {
  const elsewhere: unknown = runInContext(`new Error(${JSON.stringify(askAgain)})`, createContext());
  expect(elsewhere).not.toBeInstanceOf(Error);
  expect(messageOf(elsewhere)).toBe(askAgain);
  expect(messageOf(new Error(askAgain))).toBe(askAgain);
});

test('other messages are encrypted with their stack', () => {
  expect(messageOf(new Error('the name of a beneficiary'))).toBe('Encoded failure');
  expect(messageOf(new Error('Ask again: the name of a beneficiary'))).toBe('Encoded failure');
  expect(messageOf(ApplicationFailure.nonRetryable('the name of a beneficiary'))).toBe('Encoded failure');
});
