import { expect, test } from 'vitest';
import {
  awaitedByBulkRetry,
  bulkRetryStatus,
  firstBulkRetryStatus,
} from '../../src/domain/bulk-retry-status.js';

const course = { isDryRun: false, stage: 'running', held: null, stopped: false } as const;

test.for([
  [{ stage: 'selecting' }, 'canary', 'the selection of the failed payouts'],
  [{ stage: 'canary' }, 'canary', 'the outcomes of the canary, 15 minutes at most'],
  [{ stage: 'running' }, 'running', 'the retries, in pace'],
  [{ stage: 'following' }, 'running', 'the outcomes of what was retried'],
  [{ stage: 'ended' }, 'finished', 'nothing: it is over'],
  [{ isDryRun: true, stage: 'selecting' }, 'dry_run', 'the selection of the failed payouts'],
  [{ isDryRun: true, stage: 'ended' }, 'finished', 'nothing: it is over'],
  [{ held: 'by_operator', stage: 'canary' }, 'paused', 'resume or stop by an operator'],
  [{ held: 'by_itself', stage: 'canary' }, 'stopped', 'resume or stop by an operator'],
  [{ held: 'by_itself' }, 'stopped', 'resume or stop by an operator'],
  [{ stopped: true, stage: 'following' }, 'stopped', 'the outcomes of what was retried'],
  [{ stopped: true, stage: 'ended' }, 'stopped', 'nothing: it is over'],
] as const)('a bulk retry that is %j is %s and awaits: %s', ([is, status, awaiting]) => {
  expect(bulkRetryStatus({ ...course, ...is })).toBe(status);
  expect(awaitedByBulkRetry({ ...course, ...is }, true)).toBe(awaiting);
});

test('one that was paused while payouts are retried awaits the end of that first', () => {
  const paused = { ...course, held: 'by_operator' } as const;
  expect(awaitedByBulkRetry(paused, false)).toBe('the retries under way; then resume or stop');
});

test.for([
  [{}, 'canary'],
  [{ dry_run: false }, 'canary'],
  [{ dry_run: true }, 'dry_run'],
] as const)('one that begins with %j is %s', ([input, status]) => {
  expect(firstBulkRetryStatus(input)).toBe(status);
});
