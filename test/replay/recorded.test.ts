import '../support/lighter-workers.js';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { temporal } from '@temporalio/proto';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import * as workflows from '../../workflows/index.js';
import { closeReplayers, replay } from '../support/replayer.js';
import { quietRuntime } from '../support/temporal-runtime.js';
import { workflowBundle } from '../support/workflow-bundle.js';
import { keptHistories, startOf, workflowIdOf } from './kept-histories.js';

const workflowTests = fileURLToPath(new URL('../workflows/', import.meta.url));

afterAll(closeReplayers);

test('every history ever kept is repeated by the code of today', async () => {
  expect(await faultsOf(await keptHistories())).toEqual([]);
});

// The workflow's time after a local activity that outlasts its task differs between an execution and its replay. The
// server's clock rules both, so it is the same again from the next task on.
test('every history kept is repeated although its local activities seem to have ended seconds later', async () => {
  const kept = await keptHistories();
  for (const { history } of kept) endLocalActivitiesLater(history, 2);
  expect(await faultsOf(kept)).toEqual([]);
});

// As when the task that read was lost, or kept by heartbeats: a replay then starts it at the time of a later one.
test('every history kept is repeated although tasks that read seem to have been started later', async () => {
  const kept = await keptHistories();
  const moved = kept.map(({ history }) => startReadingTasksLater(history, 10));
  expect(moved.filter((count) => count > 0).length).toBeGreaterThan(20);
  expect(await faultsOf(kept)).toEqual([]);
});

test('every history kept is recorded by one test, and each test that records has its history kept', async () => {
  const kept = new Set((await keptHistories()).map(({ name }) => name.replace(/(-\d+)?\.bin$/, '')));
  const files = (await readdir(workflowTests)).filter((name) => name.endsWith('.test.ts'));
  const sources = await Promise.all(files.map((file) => readFile(workflowTests + file, 'utf8')));
  const recording = sources.flatMap((text) =>
    [...text.matchAll(/recordedAs\('([^']+)'\)/g)].map(([, name]) => name),
  );
  expect(recording.sort()).toEqual([...kept].sort());
});

test('every workflow has a history kept', async () => {
  const types = new Set((await keptHistories()).map(({ history }) => startOf(history)?.workflowType?.name));
  for (const type of Object.keys(workflows)) expect(types).toContain(type);
});

async function faultsOf(histories: Awaited<ReturnType<typeof keptHistories>>): Promise<string[]> {
  quietRuntime();
  const faults: string[] = [];
  for (const { name, history } of histories) {
    const error = await replay(workflowBundle(), { workflowId: workflowIdOf(history), history });
    if (error !== undefined) faults.push(`${name}: ${String(error)}`);
  }
  return faults;
}

const markerData = z.looseObject({ complete_time: z.object({ seconds: z.int(), nanos: z.int() }) });

/** Moves the end of each local activity, to the start of the next task at most: a later one there can't be. */
function endLocalActivitiesLater({ events }: temporal.api.history.v1.IHistory, laterSeconds: number): void {
  const all = events ?? [];
  for (const [at, { markerRecordedEventAttributes: attributes }] of all.entries()) {
    const payload = attributes?.details?.data?.payloads?.[0];
    if (payload?.data == null) continue;
    const data = markerData.parse(JSON.parse(Buffer.from(payload.data).toString()));
    const { nanos, seconds } = data.complete_time;
    const ended = seconds * 1_000 + nanos / 1e6;
    const next = all.slice(at).find(isStart);
    const latest = next === undefined ? Infinity : millisecondsOf(next);
    data.complete_time = timestamp(Math.max(ended, Math.min(ended + laterSeconds * 1_000, latest)));
    payload.data = Buffer.from(JSON.stringify(data));
  }
}

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

const millisecondsOf = ({ eventTime }: HistoryEvent) =>
  Number(eventTime?.seconds ?? 0) * 1_000 + Math.floor((eventTime?.nanos ?? 0) / 1_000_000);

const timestamp = (at: number) => ({
  seconds: Math.floor(at / 1_000),
  nanos: Math.floor((at % 1_000) * 1_000_000),
});

function eventTime(at: number) {
  return temporal.api.history.v1.HistoryEvent.fromObject({ eventTime: timestamp(at) }).eventTime ?? null;
}

const isStart = ({ workflowTaskStartedEventAttributes: start }: HistoryEvent) => start != null;
const isMarker = ({ markerRecordedEventAttributes: marker }: HistoryEvent) => marker != null;
const isOutcome = (event: HistoryEvent) =>
  (event.activityTaskCompletedEventAttributes ?? event.activityTaskTimedOutEventAttributes) != null;

/**
 * Moves the start of each task that a timer or signals brought and that has made a read, to the start of the next one at
 * most; answers how many were.
 */
function startReadingTasksLater({ events }: temporal.api.history.v1.IHistory, laterSeconds: number): number {
  const all = events ?? [];
  const starts = all.flatMap((event, at) => (isStart(event) ? [{ event, at }] : []));
  let moved = 0;
  for (const [index, { event, at }] of starts.entries()) {
    const brought = all.slice(starts[index - 1]?.at ?? 0, at);
    const next = starts[index + 1];
    if (brought.some(isOutcome) || !all.slice(at, next?.at).some(isMarker)) continue;
    const latest = next === undefined ? Infinity : millisecondsOf(next.event);
    event.eventTime = eventTime(Math.min(millisecondsOf(event) + laterSeconds * 1_000, latest));
    moved += 1;
  }
  return moved;
}
