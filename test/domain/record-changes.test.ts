import { expect, test } from 'vitest';
import { newRecord, type RecordData } from '../../src/domain/payment-record.js';
import {
  accepting,
  acknowledgedAs,
  afterReset,
  concluded,
  noted,
  notRead,
  readAs,
} from '../../src/domain/record-changes.js';

const began = Date.UTC(2026, 0, 5, 12);
const now = began + 60_000;
const hour = 3_600_000;
const ana = { by: 'ana', reason: 'seen' };
const record: RecordData = newRecord('payout', began);
const lines = ({ timeline }: RecordData) => timeline.map(({ what }) => what);
const conclude = (of: RecordData, status: string, needs: RecordData['needs'] = {}, what = '') =>
  concluded(of, { status, needs }, { what, now });

test('another status is shown with the time of its change, and a line if there is something to say', () => {
  const paid = conclude(record, 'done', {}, 'submitting → done');
  expect(paid).toMatchObject({ status: 'done', changedAt: now, updatedAt: now });
  expect(lines(paid)).toEqual(['submitting → done']);
  expect(lines(conclude(record, 'done'))).toEqual([]);
});

test('the same status is no change, whatever happened', () => {
  const same = conclude(record, 'submitting', {}, 'nothing new');
  expect([same.changedAt, same.updatedAt, lines(same)]).toEqual([began, began, []]);
});

test('each reason for an operator is reported once, as long as it holds', () => {
  const needs = { overdue: ['late'], payout_failed: ['refused', 'twice'] };
  const asked = conclude(record, 'error', needs);
  expect(lines(asked)).toEqual([
    'Needs an operator (payout_failed): refused',
    'Needs an operator (payout_failed): twice',
    'Needs an operator (overdue): late',
  ]);
  expect(lines(conclude(asked, 'error', needs))).toEqual(lines(asked));
  expect(conclude(asked, 'error', {}).needs).toEqual({});
});

test('what was acknowledged is asked for no more, and again once it was away and comes back', () => {
  const needs = { overdue: ['late'] };
  const seen = acknowledgedAs(conclude(record, 'error', needs), 'overdue');
  expect(conclude(seen, 'error', needs)).toMatchObject({ needs: {}, acknowledged: needs });
  expect(conclude(conclude(seen, 'error'), 'error', needs)).toMatchObject({ needs, acknowledged: {} });
});

test('what did not fit is to be seen by an operator also when all fits again', () => {
  const odd = conclude(record, 'error', { inconsistent_answer: ['another value'] });
  expect(conclude(odd, 'error').needs).toEqual({ inconsistent_answer: ['another value'] });
  expect(conclude(acknowledgedAs(odd, 'inconsistent_answer'), 'error').needs).toEqual({});
});

test('after a reset, what did not fit is asked for again, and nothing else that was acknowledged', () => {
  const needs = { inconsistent_answer: ['another value'], overdue: ['late'] };
  const asked = conclude(record, 'error', needs);
  const seen = acknowledgedAs(acknowledgedAs(asked, 'inconsistent_answer'), 'overdue');
  const reset = afterReset(seen, 'run-2');
  expect(reset).toMatchObject({ resetRunId: 'run-2', acknowledged: { overdue: ['late'] } });
  expect(conclude(reset, 'error', needs).needs).toEqual({ inconsistent_answer: ['another value'] });
});

test('a read that works ends what an hour without one has asked for', () => {
  const first = notRead(record, { cause: 'cadence', why: 'It was away.' }, now, 1);
  expect(first).toMatchObject({ unreadableSince: now, unreadable: null });
  const failed = (after: number, scale: number) =>
    notRead(first, { cause: 'hint', why: 'It was away.' }, now + after, scale).unreadable;
  expect(failed(hour - 1, 1)).toBeNull();
  expect(failed(hour, 1)).toBe('No read has worked for an hour. It was away.');
  expect(failed(hour / 10, 0.1)).toBe('No read has worked for an hour. It was away.');
  const lastRead = { at: now + hour, cause: 'hint', status: 'done' } as const;
  expect(readAs({ ...first, unreadable: 'away' }, lastRead)).toMatchObject({
    lastRead,
    unreadableSince: null,
    unreadable: null,
  });
});

test('an amount that was accepted twice is kept once', () => {
  expect(accepting(accepting(record, 5), 5).acceptedCentavos).toEqual([5]);
  expect(accepting(accepting(record, 5), 6).acceptedCentavos).toEqual([5, 6]);
});

test('nothing that was recorded before is changed in place', () => {
  const before = structuredClone(record);
  noted(noted(record, 'a', now, ana), 'a', now, ana);
  conclude(record, 'done', { overdue: ['late'] }, 'done');
  afterReset(acknowledgedAs(accepting(record, 1), 'overdue'), 'run-2');
  expect(record).toEqual(before);
});
