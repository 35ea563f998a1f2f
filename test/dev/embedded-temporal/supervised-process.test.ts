import { expect, test } from 'vitest';
import { startSupervised } from '../../../src/dev/embedded-temporal/supervised-process.js';

test.for([
  [
    'a panic, without its long stack trace',
    'panic: address already in use\n\ngoroutine 1 [running]:\n',
    20_000,
  ],
  ['all that was said, when that is short', 'panic: address already in use\n', 100],
] as const)('a program that ends is reported with %s', async ([, words, more]) => {
  const script = 'printf "$0"; head -c "$1" /dev/zero | tr "\\0" x';
  const { ended } = await startSupervised('/bin/sh', ['-c', script, words, String(more)], process.env);
  const output = await ended;
  expect(output).toContain('panic: address already in use');
  expect(output.length).toBeLessThan(200);
});
