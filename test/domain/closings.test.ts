import { expect, test } from 'vitest';
import { closings, earlyClosingText, isEarly } from '../../src/domain/closings.js';

test('only a workflow that ended by itself is closed in time', () => {
  expect(closings.filter(isEarly)).toEqual(['terminated', 'timed_out', 'failed', 'cancelled']);
  expect([isEarly(null), isEarly(undefined)]).toEqual([false, false]);
});

test.for([
  ['terminated', 'was terminated'],
  ['timed_out', 'has timed out'],
  ['failed', 'has failed'],
  ['cancelled', 'was cancelled by force'],
] as const)('one that is %s says what that means for the money', ([closing, how]) => {
  expect(earlyClosingText(closing)).toContain(`The workflow of this payment ${how}, so nobody follows it`);
  expect(earlyClosingText(closing)).toContain('the money may still move');
});
