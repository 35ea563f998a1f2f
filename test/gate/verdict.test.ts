import { describe, expect, test } from 'vitest';
import { filesToRepeat, together, verdict } from '../../scripts/gate/verdict.mjs';
import { reportOf, type FileResult, type Report } from '../../scripts/gate/vitest.mjs';

const green: FileResult = { passed: 3, skipped: 1, failures: [] };
const red: FileResult = { passed: 2, skipped: 0, failures: [{ test: 'pays once', error: 'paid twice' }] };
const report = (files: Record<string, FileResult>, ...broken: string[]): Report => ({
  files: new Map(Object.entries(files)),
  broken,
});
const failedFiles = (count: number) =>
  report(Object.fromEntries(Array.from({ length: count }, (_, index) => [`${String(index)}.test.ts`, red])));

describe('which files are run once more', () => {
  test.each([
    ['none when all passed', report({ 'a.test.ts': green }), []],
    ['those that failed', report({ 'a.test.ts': green, 'b.test.ts': red }), ['b.test.ts']],
    ['none when six failed', failedFiles(6), []],
    ['none when more than tests has failed', report({ 'b.test.ts': red }, 'out of memory'), []],
  ])('%s', (_, first, expected) => {
    expect(filesToRepeat(first)).toEqual(expected);
  });

  test('five of them at most', () => {
    expect(filesToRepeat(failedFiles(5))).toHaveLength(5);
  });
});

describe('what a run comes to', () => {
  const first = report({ 'a.test.ts': green, 'b.test.ts': red });
  const failure = { file: 'b.test.ts', test: 'pays once', error: 'paid twice' };

  test('a test that fails only beside others counts as passed, and is named as flaky', () => {
    const repeated = report({ 'b.test.ts': { passed: 3, skipped: 0, failures: [] } });
    expect(verdict(first, repeated)).toEqual({
      ...{ passed: 6, failed: 0, skipped: 1, broken: [] },
      ...{ flaky: [failure], failures: [] },
    });
  });

  test.each([
    ['a test that fails alone too', report({ 'b.test.ts': red })],
    ['a failed test that was not run again', report({})],
    ['a failed test, when nothing is run again', undefined],
  ])('%s fails', (_, repeated) => {
    expect(verdict(first, repeated)).toMatchObject({
      ...{ passed: 5, failed: 1, flaky: [], failures: [failure] },
    });
  });

  test.each([
    ['the first run', report({ 'a.test.ts': green }, 'it was killed'), undefined],
    ['the repetition', first, report({ 'b.test.ts': green }, 'it was killed')],
  ])('%s that breaks fails, whatever its tests did', (_, one, repeated) => {
    expect(verdict(one, repeated)).toMatchObject({ failed: 1, broken: ['it was killed'] });
  });
});

test('tiers count together, and each can break', () => {
  const tiers = together(report({ 'a.test.ts': green }), report({ 'b.test.ts': green }, 'it was killed'));
  expect(verdict(tiers)).toMatchObject({ passed: 6, skipped: 2, failed: 1, broken: ['it was killed'] });
});

describe('what vitest reports', () => {
  const passed = { fullName: 'pays once', status: 'passed', failureMessages: [] };
  const failed = { ...passed, status: 'failed', failureMessages: ['paid twice\n    at pay'] };
  const skipped = { ...passed, status: 'pending' };
  const json = (assertionResults: object[], status = 'passed', message = '') =>
    JSON.stringify({ testResults: [{ name: 'a.test.ts', assertionResults, message, status }] });

  test.each([
    [
      'tests by their outcome',
      json([passed, skipped, failed], 'failed'),
      1,
      { ...red, passed: 1, skipped: 1 },
    ],
    [
      'a file that can not be loaded as a failed test',
      json([], 'failed', 'no such module'),
      1,
      { passed: 0, skipped: 0, failures: [{ test: '(the file itself)', error: 'no such module' }] },
    ],
  ])('%s', (_, text, code, expected) => {
    expect(reportOf(text, code)).toEqual(report({ 'a.test.ts': expected }));
  });

  test.each([
    ['nothing at all', undefined, 'SIGKILL'],
    ['no failed test, but a failed run', json([passed]), 1],
  ])('%s: broken', (_, text, code) => {
    expect(reportOf(text, code).broken).toEqual([
      expect.stringContaining(`vitest ended with ${String(code)}`),
    ]);
  });
});
