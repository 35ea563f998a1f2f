import { initialBulkRetry } from '../../src/client/initial-bulk-retry.js';
import { afterEach, expect, test, vi } from 'vitest';
import { bulkRetriesTable, bulkRetryText } from '../../src/cli/shared/bulk-retries.js';

afterEach(() => vi.unstubAllEnvs());

test('a bulk retry that has stopped is described in lines that fit the terminal, but for the commands to copy', () => {
  vi.stubEnv('COLUMNS', '80');
  const words = 'the bank is back, and has confirmed in writing that all of them will be taken again';
  const none = { matched: 1, pending: 0, retried: 0, done: 0, failed_again: 1, refused: 0 };
  const text = bulkRetryText({
    ...{ bulk_retry_id: 'wages', workflow_id: 'bulk-retry-wages', started_by: 'shop', status: 'running' },
    ...{ dry_run: false, attention: 'bulk_retry_stopped', closed: false, pages: 1, by: 'Ana', filter: {} },
    attention_detail: `1 of 1 failed again. Too many have. Nothing more is retried until somebody decides: ${words}.`,
    ...{
      awaiting: `an operator: ${words}`,
      reason: words,
      groups: [],
      unanswered: ['rent-1'],
      timeline: [],
      counts: none,
      values: none,
    },
    ...{ per_second: 1, canary: 1, stop_at_failure_share: 0.2 },
    ...{ started_at: '2026-01-02T03:04:05.000Z', updated_at: '2026-01-02T03:04:05.000Z' },
  });
  const lines = text.split('\n');
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  // Of one sentence no word is lost.
  expect(lines.join(' ')).toContain(`1 of 1 failed again. Too many have. Nothing more is retried`);
  expect(lines).toContain('Not answered, may have been retried: rent-1');
  expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain(`reason ${words} (Ana)`);
});

test('bulk retries are listed with counts and sums, in lines that fit the terminal', () => {
  const initial = initialBulkRetry({ bulk_retry_id: 'wages-of-may', reason: 'again', by: 'ana' }, null);
  const counts = { ...initial.counts, matched: 12_000, pending: 11_990 };
  const values = { ...initial.values, matched: 1_234_567.89, pending: 1_234_000.5 };
  const text = bulkRetriesTable([
    { bulk_retry_id: 'wages-of-may', state: { ...initial, status: 'paused', counts, values } },
    { bulk_retry_id: 'lost', state: undefined },
  ]);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
  for (const shown of ['wages-of-may', 'paused', '12000', '11990', '1234567.89', '1234000.50', 'lost'])
    expect(text).toContain(shown);
  expect(bulkRetriesTable([])).toBe('No bulk retry runs or waits.');
});
