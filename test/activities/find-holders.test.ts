import { expect, test, vi } from 'vitest';
import { findHolders } from '../../activities/find-holders.js';
import { initialBulkRetry } from '../../src/client/initial-bulk-retry.js';
import type { BulkRetryState } from '../../src/contract/bulk-retry.js';
import { firstDispatch } from './support.js';

const startedAt = '2026-05-02T12:00:00.000Z';
const later = '2026-05-02T12:00:00.001Z';

/** The only other bulk retry: it is paused, and has some of the same payouts. */
function other(changes: Partial<BulkRetryState>): BulkRetryState {
  const initial = initialBulkRetry({ bulk_retry_id: 'nov-1', reason: 'the bank is back', by: 'ana' }, null);
  const counts = { ...initial.counts, matched: 6, pending: 5 };
  return { ...initial, status: 'paused', started_at: '2026-05-02T11:00:00.000Z', counts, ...changes };
}

const pending: Readonly<Record<string, string[]>> = {
  'nov-1': ['rent-1', 'rent-2', 'rent-3', 'rent-4', 'theirs'],
  'nov-2': ['ours', 'rent-1', 'rent-2', 'rent-3', 'rent-4'],
};

test.for<[string, Partial<BulkRetryState>, boolean, boolean]>([
  ['that is paused holds them', {}, true, true],
  ['that runs holds them', { status: 'running' }, true, true],
  [
    'that has stopped by itself holds them',
    { status: 'stopped', attention: 'bulk_retry_stopped' },
    true,
    true,
  ],
  ['that an operator has stopped holds none', { status: 'stopped' }, true, false],
  ['that is a dry run holds none', { status: 'dry_run', dry_run: true }, true, false],
  ['that has retried all holds none', { counts: { ...other({}).counts, pending: 0 } }, true, false],
  ['that is over holds none', { status: 'finished', closed: true }, true, false],
  ['that was started later and is checked holds them', { started_at: later }, true, true],
  ['that was started later and is not checked holds none', { started_at: later }, false, false],
  [
    'that was started at the same moment and has the lower id holds them',
    { started_at: startedAt },
    false,
    true,
  ],
])('of two bulk retries of the same payouts the one %s', async ([, changes, isChecked, holds]) => {
  const find = findHolders({
    openBulkRetries: () => Promise.resolve([{ bulk_retry_id: 'nov-1', state: other(changes) }]),
    pendingOf: (id) => Promise.resolve({ isChecked, isSelecting: false, codes: pending[id] ?? [] }),
  });
  const status = changes.status ?? 'paused';
  const holder = { bulk_retry_id: 'nov-1', status, count: 4, partner_codes: ['rent-1', 'rent-2', 'rent-3'] };
  const found = await firstDispatch().run(find, { bulk_retry_id: 'nov-2', started_at: startedAt });
  expect(found).toEqual(holds ? [holder] : []);
});

const unknown = { bulk_retry_id: 'nov-1', status: null, count: 0, partner_codes: [] };
const ours = { isChecked: false, isSelecting: false, codes: ['rent-1'] };

test.for<[string, BulkRetryState | undefined, (() => Promise<typeof ours>) | undefined, object[]]>([
  ['whose state does not answer is reported without a status', undefined, undefined, [unknown]],
  ['whose pages do not answer is reported without a status', other({}), undefined, [unknown]],
  [
    'that was started earlier and still selects is reported without a status',
    other({ status: 'canary', counts: { ...other({}).counts, matched: 0, pending: 0 } }),
    () => Promise.resolve({ isChecked: false, isSelecting: true, codes: [] }),
    [unknown],
  ],
  [
    'that was started later and still selects holds none',
    other({ started_at: later }),
    () => Promise.resolve({ isChecked: false, isSelecting: true, codes: ['rent-1'] }),
    [],
  ],
])('a bulk retry %s', async ([, state, theirs, found]) => {
  const find = findHolders({
    openBulkRetries: () => Promise.resolve([{ bulk_retry_id: 'nov-1', state }]),
    pendingOf: (id) =>
      id === 'nov-2' ? Promise.resolve(ours) : (theirs?.() ?? Promise.reject(new Error('no answer'))),
  });
  expect(await firstDispatch().run(find, { bulk_retry_id: 'nov-2', started_at: startedAt })).toEqual(found);
});

test('the search of other bulk retries heartbeats while one of them does not answer', async ({
  onTestFinished,
}) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const dispatch = firstDispatch();
  const beat = new Promise<void>((resolve) => {
    dispatch.onHeartbeat(() => {
      resolve();
    });
  });
  const find = findHolders({
    openBulkRetries: () => Promise.resolve([{ bulk_retry_id: 'nov-1', state: other({}) }]),
    pendingOf: async (id) => {
      if (id !== 'nov-2') await Promise.all([beat, vi.advanceTimersByTimeAsync(30_000)]);
      return { ...ours, codes: pending[id] ?? [] };
    },
  });
  const found = await dispatch.run(find, { bulk_retry_id: 'nov-2', started_at: startedAt });
  expect(found).toMatchObject([{ bulk_retry_id: 'nov-1', status: 'paused' }]);
});
