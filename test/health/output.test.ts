import { expect, test } from 'vitest';
import { outputProblems } from '../../src/health/output.js';

test('an output that is read, or whose reader is slow for a moment, is no problem', () => {
  expect(outputProblems({ dropped: 0, stuckMs: 0 })).toEqual([]);
  expect(outputProblems({ dropped: 0, stuckMs: 4_999 })).toEqual([]);
});

test('an output that nobody has read for seconds is one', () => {
  expect(outputProblems({ dropped: 0, stuckMs: 5_000 })).toMatchObject([{ check: 'output' }]);
});

test('an output of which something was dropped is one at once, and says how much', () => {
  const [problem] = outputProblems({ dropped: 12, stuckMs: 0 });
  expect(problem?.detail).toContain('12 were dropped');
});
