import { describe, expect, test } from 'vitest';
import { nextRescanAt, nextScanAt, scansAreOver } from '../../src/domain/payout-scans.js';
import { resolutionProblem } from '../../src/domain/refused.js';
import type { Called } from '../../src/domain/called.js';
import {
  afterOutcome,
  dueNow,
  newSubmission,
  readDuring,
  submissionDueAt,
  submitted,
  type CreationOutcome,
} from '../../src/domain/submission.js';

const now = 1_000_000;
const reason = 'because';
const state = { ...newSubmission(4), tries: 2, rejectedGeneration: 3, at: 5 };
const after = (outcome: CreationOutcome, scale = 1) => afterOutcome(outcome, state, now, scale);
const again = (nothingBy: 'not_sent' | 'answer', at: number, rejectedGeneration = 3) => ({
  ...{ kind: 'again', reason, nothingBy },
  state: {
    ...{ tries: 3, rejectedGeneration, at: now + at, since: 4, unsent: null },
    ...{ wasAnswered: nothingBy === 'answer', endedUnmarked: false, inLine: false },
  },
});

describe('what follows a creating call', () => {
  test.for([
    [0, 2],
    [4, 60],
    [5, 300],
    [292, 300],
    [293, 900],
  ] as const)('that did nothing, after %i tries more, is sent again after %i s', ([tries, seconds]) => {
    const submitted = afterOutcome({ outcome: 'not_sent', reason }, { ...state, tries }, now, 1);
    expect(submitted).toMatchObject({ state: { tries: tries + 1, at: now + seconds * 1_000 } });
  });

  const unknown = { kind: 'unknown', reason, verifyFrom: now, runWasReset: false };
  const afterReset = { ...unknown, runWasReset: true };
  const ended = (kind: string, why = reason) => ({ kind, reason: why });
  const claimed = { kind: 'answered', serviceId: '1', status: 'claimed', answer: null, read: null };
  const bare: unknown = { outcome: 'answered', service_id: null, status: null, answer: { a: 1 }, read: null };
  const problems = [
    { field: 'pix', message: 'is no key' },
    { field: 'value', message: 'is 0' },
  ];
  test.for<[CreationOutcome, object]>([
    [{ outcome: 'not_sent', reason }, again('not_sent', 15_000)],
    [{ outcome: 'unauthorized', reason, token_generation: 8 }, again('answer', 15_000, 8)],
    [{ outcome: 'throttled', reason, retry_after_ms: null }, again('answer', 15_000)],
    [{ outcome: 'throttled', reason, retry_after_ms: 60_000 }, again('answer', 60_000)],
    [{ outcome: 'throttled', reason, retry_after_ms: 1 }, again('answer', 15_000)],
    [{ outcome: 'refused', reason, http_status: 422 }, ended('refused')],
    [{ outcome: 'scan_first', reason }, ended('scan_first')],
    [{ outcome: 'card_gone', reason }, ended('card_gone')],
    [{ outcome: 'unknown', reason }, unknown],
    [{ outcome: 'unknown', reason, dispatched_before: true }, afterReset],
    [{ outcome: 'answered', service_id: '1', status: 'claimed' }, claimed],
    [bare as CreationOutcome, { ...claimed, serviceId: null, status: null, answer: { a: 1 } }],
    [{ outcome: 'invalid_input', problems }, ended('invalid', 'pix is no key; value is 0')],
  ])('%j', ([outcome, expected]) => {
    expect(after(outcome)).toEqual(expected);
  });

  test('that a newer worker answered in a way of its own is not known', () => {
    const outcome = { outcome: 'postponed', reason } as unknown as CreationOutcome;
    expect(after(outcome)).toMatchObject({ kind: 'unknown', runWasReset: false });
  });

  test('is due later by the scale, and due at once at first', () => {
    expect(after({ outcome: 'not_sent', reason }, 10)).toMatchObject({ state: { at: now + 150_000 } });
    expect(newSubmission(7)).toEqual({
      ...{ tries: 0, rejectedGeneration: null, at: 7, since: 7 },
      ...{ unsent: null, wasAnswered: false, endedUnmarked: false, inLine: false },
    });
  });

  test.each([{ wasAnswered: true }, { endedUnmarked: true }])('made anew keeps %j', (unproven) => {
    expect(newSubmission(7, { ...state, ...unproven })).toEqual({ ...newSubmission(7), ...unproven });
  });
});

test.each([
  ['within the call', '1970-01-01T00:00:02.000Z', 2_000],
  ['before it, by a clock that is behind', '1970-01-01T00:00:00.500Z', 1_000],
  ['after it, by a clock that is ahead', '1970-01-01T00:00:09.000Z', 3_000],
  ['at what is no time', 'just now', 3_000],
])('what a call has read %s is of a time within the call', (_, statedAt, at) => {
  expect(readDuring(statedAt, 1_000, 3_000)).toBe(at);
});

describe('a creating call of which no worker brought an answer', () => {
  const heartbeat = { outcome: 'answered', service_id: '1', status: 'claimed' };
  const unmarked = { kind: 'timed_out', how: 'no_answer', heartbeat: undefined } as const;
  const unstarted = { ...unmarked, how: 'never_started' } as const;
  const marked = { ...unmarked, heartbeat: { outcome: 'sending' } } as const;
  const markedBefore = { ...marked, how: 'never_started' } as const;
  const early = { ...marked, how: 'no_heartbeat', heartbeat } as const;
  const thrown = { kind: 'failed', type: 'Error', message: '' } as const;
  const answered = { kind: 'answered', serviceId: '1' };
  const notSent = { kind: 'again', nothingBy: 'not_sent', state: { tries: 3, endedUnmarked: true } };
  const gone = { kind: 'card_gone', reason: 'The gateway that held the card is gone.' };
  const unknown = (verifyFrom: number) => ({ kind: 'unknown', verifyFrom, runWasReset: false });
  test.for<[string, object, number, object]>([
    ['with the mark is unknown', marked, 76_000, unknown(now)],
    ['with the mark, and perhaps under way, is read later', marked, 10_000, unknown(now + 65_000)],
    ['with its answer over the mark is answered', { ...marked, heartbeat }, 76_000, answered],
    ['with its answer over the mark, which ended early, is answered', early, 20_000, answered],
    ['with any other heartbeat is unknown', { ...marked, heartbeat: null }, 76_000, unknown(now)],
    ['without the mark was not sent', unmarked, 76_000, notSent],
    ['without the mark, after a wait for its worker, was not sent', unmarked, 149_999, notSent],
    ['without the mark, after the time of two dispatches, is unknown', unmarked, 150_000, unknown(now)],
    ['since none took it up has sent no card', unstarted, 30_000, gone],
    ['since none took it up, learned of late, has sent no card', unstarted, 99_999, gone],
    ['since none took it up, after the time of a dispatch, is unknown', unstarted, 100_000, unknown(now)],
    ['with the mark, and not taken up again, is unknown', markedBefore, 30_000, unknown(now + 45_000)],
    ['but a failure is unknown', thrown, 75_000, unknown(now)],
  ])('%s', ([, ended, tookMs, expected]) => {
    const called = { ...ended, tookMs } as Called<CreationOutcome>;
    expect(submitted(called, state, { now, scale: 1, withCard: true })).toMatchObject(expected);
  });

  test('that no worker took in time waits for its turn, and is reported after an hour', () => {
    const called = { ...unstarted, tookMs: 25_000 };
    const sent = submitted(called, state, { now, scale: 1, withCard: false });
    expect(sent).toMatchObject({ kind: 'again', nothingBy: 'not_sent' });
    if (sent.kind !== 'again') return;
    expect(submissionDueAt(sent.state, 1)).toBe(state.since + 3_600_000);
    expect(submissionDueAt({ ...sent.state, unsent: 'for an hour' }, 1)).toBe(Infinity);
    expect(submissionDueAt(dueNow(sent.state, now), 1)).toBe(now);
    // A restored Temporal may have lost that a worker took it: SCAN_BEFORE_SEND=always scans before it is sent.
    expect(sent.state.endedUnmarked).toBe(true);
  });
});

describe('the scans after an unknown outcome', () => {
  const from = 1_000;
  test.for([
    [0, 10_000],
    [1, 60_000],
    [2, 300_000],
    [3, 900_000],
    [4, 1_800_000],
    [5, Infinity],
  ])('the one after %s is due %s ms after the call', ([done = 0, delay = 0]) => {
    expect(nextScanAt({ from, done }, 1)).toBe(from + delay);
    expect(nextScanAt({ from, done }, 0.5)).toBe(from + delay / (delay === Infinity ? 1 : 2));
  });

  test.for([
    [0, 5_000],
    [20_000, 5_000],
    [40_000, 10_000],
    [1_200_000, 300_000],
    [86_400_000, 300_000],
  ])('one that failed after %s ms is made again after %s ms', ([since = 0, delay = 0]) => {
    expect(nextRescanAt({ from, done: 0 }, from + since, 1)).toBe(from + since + delay);
  });

  test('keep their bounds by the scale', () => {
    expect(nextRescanAt({ from, done: 0 }, from, 10)).toBe(from + 50_000);
    expect(nextRescanAt({ from, done: 0 }, from + 86_400_000, 0.1)).toBe(from + 86_400_000 + 30_000);
  });

  test('are over after half an hour, made or not', () => {
    expect(scansAreOver({ from, done: 0 }, from + 1_799_999, 1)).toBe(false);
    expect(scansAreOver({ from, done: 0 }, from + 1_800_000, 1)).toBe(true);
    expect(scansAreOver({ from, done: 5 }, from + 1_800_000, 2)).toBe(false);
  });
});

test.for([
  [{}, 'InvalidMessage'],
  [{ service_id: '1', nothing_happened: true }, 'InvalidMessage'],
  [{ nothing_happened: false }, 'InvalidMessage'],
  [{ service_id: '1' }, undefined],
  [{ service_id: 0, nothing_happened: false }, undefined],
  [{ nothing_happened: true }, undefined],
] as const)('a finding of %j is refused as %s', ([found, refusal]) => {
  expect(resolutionProblem(found)?.type).toBe(refusal);
});
