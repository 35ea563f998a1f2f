import { expect, test } from 'vitest';
import { outputProblems } from '../../src/health/output.js';

test.for([
  ['is read', { dropped: 0, stuckMs: 0 }, []],
  ['has a reader that is slow for a moment', { dropped: 0, stuckMs: 4_999 }, []],
  ['nobody has read for seconds', { dropped: 0, stuckMs: 5_000 }, [{ check: 'output' }]],
  [
    'has lost something',
    { dropped: 12, stuckMs: 0 },
    [{ detail: expect.stringContaining('12 were dropped') as string }],
  ],
] as const)('an output that %s has its problems, and no other', ([, output, problems]) => {
  expect(outputProblems(output)).toMatchObject(problems);
});
