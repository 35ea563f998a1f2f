import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { TemporalUnavailableError } from '../../src/client.js';
import type { BulkRetryLine, BulkRetryState } from '../../src/contract/bulk-retry.js';
import { bulkRetryPageId, bulkRetryWorkflowId } from '../../src/domain/ids.js';
import { Campaign } from '../../workflows/bulk-retry/campaign.js';
import { readPlan } from '../../workflows/bulk-retry/plan.js';
import { begin } from '../../workflows/bulk-retry/snapshot.js';
import { recordedAs } from '../support/keep-histories.js';
import { startBulkRetryStack, type BulkRetryStack } from '../support/bulk-retries.js';
import { replayAfter } from '../support/replay.js';
import { freshCode } from '../support/requests.js';
import { inFull } from '../support/tools.js';
import { waiting } from '../support/waiting.js';
import { workflowBundle } from '../support/workflow-bundle.js';

let stack: BulkRetryStack;
/** Stops the worker that a test has. */
let stop: () => Promise<void>;
beforeAll(async () => {
  stack = await startBulkRetryStack();
});
beforeEach(async () => {
  stop = await stack.deployment.startWorker();
});
afterEach(async ({ task }) => {
  await stop();
  await replayAfter(stack.deployment.server.client, stack.deployment.server.started, {
    workflowBundle: workflowBundle(),
    leftOpen: 'all',
    history: task.meta.history,
  });
});
afterAll(() => stack.close());

const command = { reason: 'the bank says so', by: 'ana' };
const outcomes = (report: readonly BulkRetryLine[]) =>
  Object.fromEntries(report.map(({ outcome, partner_code: code }) => [code, outcome]));
const all = (codes: readonly string[], outcome: string) =>
  Object.fromEntries(codes.map((code) => [code, outcome]));

/** What it selects, when it stops and what it counts are rules: `test/domain/bulk-retry.test.ts`, `test/workflows/bulk-retry-page.test.ts`. */
const testInFull = test.runIf(inFull());

const isOf =
  (id: string) =>
  ({ bulk_retry_id: of }: { bulk_retry_id: string }) =>
    of === id;

/** Replaces the worker by one for which a payout answers no retry until `answer` is called. */
async function withoutAnswerOf(code: string) {
  await stop();
  let asked = 0;
  let answer = () => undefined as void;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  stop = await stack.deployment.startWorker({
    retryPayout: async (of, message) => {
      if (of === code) {
        asked += 1;
        await answered;
      }
      return stack.deployment.own.retryPayout(of, message);
    },
  });
  return { answer, asked: () => asked };
}

/** Resets a bulk retry to its first task. */
async function reset(id: string) {
  const { client } = stack.deployment.server;
  const workflowId = bulkRetryWorkflowId(id);
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
    reason: 'as a test',
    requestId: freshCode(),
    workflowTaskFinishEventId: await firstTaskOf(workflowId),
  });
}

async function firstTaskOf(workflowId: string) {
  const { events } = await stack.deployment.server.client.workflow.getHandle(workflowId).fetchHistory();
  const task = events?.find(({ workflowTaskCompletedEventAttributes: it }) => it != null);
  if (task?.eventId == null) throw new Error('It has completed no task.');
  return task.eventId;
}

function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof TemporalUnavailableError)) throw error;
}

describe('a bulk retry', () => {
  test(
    'selects what failed, retries a canary, then the others, and reports each',
    recordedAs('bulk-retry-finished'),
    async () => {
      const codes = await stack.failed(5);
      const id = await stack.start({ filter: { partner_codes: codes }, canary: 2 });

      const canary = await stack.until(id, ({ counts }) => counts.retried === 2);
      expect(canary).toMatchObject({ status: 'canary', counts: { matched: 5, pending: 3, retried: 2 } });
      expect(canary.groups).toEqual([
        { cause: 'service_error', words: 'The service shows the payout as failed.', count: 5, value: 751.25 },
      ]);
      expect(await stack.timesRetried(codes, 2)).toBe(2);

      stack.settle(codes, 'done');
      await stack.until(id, ({ counts }) => counts.retried === 3 && counts.done === 2);
      expect(await stack.timesRetried(codes, 5)).toBe(5);
      stack.settle(codes, 'done');
      expect(await stack.finished(id)).toMatchObject({
        status: 'finished',
        attention: null,
        counts: { matched: 5, pending: 0, retried: 0, done: 5, failed_again: 0, refused: 0 },
        values: { matched: 751.25, done: 751.25 },
      });
      const report = await stack.report(id);
      expect(outcomes(report)).toEqual(all(codes, 'done'));
      expect(report[0]).toMatchObject({ value: 150.25, attempt: 1, cause: 'service_error', detail: null });
      expect(await stack.timesRetried(codes, 5)).toBe(5);
      const [attempt] = (await stack.payments.payout(codes[0] ?? '').state()).attempts.slice(1);
      expect(attempt).toMatchObject({ number: 2, bulk_retry_id: id });
    },
  );

  testInFull(
    'stops by itself when too many fail again, asks for an operator, and goes on on command',
    recordedAs('bulk-retry-stopped-by-itself'),
    async () => {
      const codes = await stack.failed(4);
      const id = await stack.start({ filter: { partner_codes: codes }, canary: 2 });
      await stack.until(id, ({ counts }) => counts.retried === 2);
      expect(await stack.timesRetried(codes, 2)).toBe(2);
      stack.settle(codes, 'error');

      const stopped = await stack.until(id, ({ status }) => status === 'stopped');
      expect(stopped).toMatchObject({
        attention: 'bulk_retry_stopped',
        attention_detail: expect.stringContaining('2 of 2 failed again') as string,
        counts: { pending: 2, failed_again: 2 },
        closed: false,
      });
      const { searchAttributes } = await stack.deployment.server.client.workflow
        .getHandle(bulkRetryWorkflowId(id))
        .describe();
      expect(searchAttributes).toMatchObject({
        PaymentKind: ['bulk_retry'],
        PaymentStatus: ['stopped'],
        PaymentAttention: ['bulk_retry_stopped'],
      });

      expect(await stack.payments.bulkRetry(id).resume(command)).toMatchObject({ attention: null });
      await stack.until(id, ({ counts }) => counts.retried === 2);
      expect(await stack.timesRetried(codes, 4)).toBe(4);
      stack.settle(codes, 'done');
      const state = await stack.finished(id);
      // Those of the canary are done after all: they had failed again, and that stays in the report.
      expect(state.counts).toMatchObject({ matched: 4, done: 2, failed_again: 2 });
      expect(state.timeline).toContainEqual(expect.objectContaining({ what: 'Resumed', by: 'ana' }));
    },
  );

  testInFull('paused sends nothing more once that is answered, and goes on when it is resumed', async () => {
    const codes = await stack.failed(3);
    const id = await stack.start({ filter: { partner_codes: codes }, canary: 1 });
    await stack.until(id, ({ counts }) => counts.retried === 1);
    const paused = await stack.payments.bulkRetry(id).pause(command);
    expect(paused).toMatchObject({ status: 'paused', awaiting: 'resume or stop by an operator' });

    expect(await stack.timesRetried(codes, 1)).toBe(1);
    stack.settle(codes, 'done');
    await stack.until(id, ({ counts }) => counts.done === 1);
    expect(await stack.timesRetried(codes, 1)).toBe(1);

    await stack.payments.bulkRetry(id).resume(command);
    await stack.until(id, ({ counts }) => counts.pending === 0);
    expect(await stack.timesRetried(codes, 3)).toBe(3);
    stack.settle(codes, 'done');
    expect(await stack.finished(id)).toMatchObject({ status: 'finished', counts: { done: 3 } });
    await expect(stack.payments.bulkRetry(id).resume(command)).rejects.toMatchObject({ reason: 'Closed' });
  });

  testInFull(
    'stopped for good ends when what was retried has an outcome, and reports what was not',
    async () => {
      const codes = await stack.failed(3);
      const id = await stack.start({ filter: { partner_codes: codes }, canary: 1 });
      await stack.until(id, ({ counts }) => counts.retried === 1);
      expect(await stack.payments.bulkRetry(id).stop(command)).toMatchObject({
        status: 'stopped',
        attention: null,
      });
      expect(await stack.timesRetried(codes, 1)).toBe(1);
      stack.settle(codes, 'done');
      expect(await stack.finished(id)).toMatchObject({ status: 'stopped', counts: { done: 1, pending: 2 } });
      expect(Object.values(outcomes(await stack.report(id))).sort()).toEqual(['done', 'pending', 'pending']);
      expect(await stack.timesRetried(codes, 1)).toBe(1);
    },
  );

  testInFull(
    'leaves a payout alone that somebody has retried since it was selected, and says why',
    async () => {
      const [first = '', second = ''] = await stack.failed(2);
      const codes = [first, second];
      const id = await stack.start({ filter: { partner_codes: codes }, canary: 1 });
      await stack.until(id, ({ counts }) => counts.retried === 1);
      expect(await stack.timesRetried(codes, 1)).toBe(1);
      const other = (await stack.timesRetried([first], 0)) === 0 ? first : second;
      await stack.payments.payout(other).retry({ reason: 'by hand', by: 'rui' });
      expect(await stack.timesRetried(codes, 2)).toBe(2);
      stack.settle(codes, 'done');

      expect(await stack.finished(id)).toMatchObject({ counts: { done: 1, refused: 1 } });
      const line = (await stack.report(id)).find(({ partner_code: code }) => code === other);
      expect(line).toMatchObject({ outcome: 'refused', detail: expect.stringMatching(/^\w+: .+/) as string });
      expect(await stack.timesRetried(codes, 2)).toBe(2);
    },
  );

  testInFull('is called a dry run by its status only when it is one, from its first moment on', async () => {
    await stop();
    const { client } = stack.deployment.server;
    for (const [isDryRun, status] of [
      [false, 'canary'],
      [true, 'dry_run'],
    ] as const) {
      const request = { bulk_retry_id: freshCode(), dry_run: isDryRun, filter: { partner_codes: ['none'] } };
      const { state } = await stack.payments.startBulkRetry({ ...request, ...command });
      expect(state).toMatchObject({ status, dry_run: isDryRun });
      const id = bulkRetryWorkflowId(request.bulk_retry_id);
      const { searchAttributes } = await client.workflow.getHandle(id).describe();
      expect(searchAttributes).toMatchObject({ PaymentStatus: [status] });
      const first = begin(readPlan({ ...request, ...command }, 0), 0);
      expect(new Campaign(first, null, () => 0).state()).toMatchObject({
        status,
        awaiting: 'the selection of the failed payouts',
      });
    }
    stop = await stack.deployment.startWorker();
  });

  testInFull('of a dry run only selects and counts', async () => {
    const codes = await stack.failed(2);
    const id = await stack.start({ filter: { partner_codes: codes }, dry_run: true });
    expect(await stack.finished(id)).toMatchObject({
      status: 'finished',
      dry_run: true,
      counts: { matched: 2, pending: 2 },
      groups: [{ cause: 'service_error', count: 2, value: 300.5 }],
    });
    expect(outcomes(await stack.report(id))).toEqual(all(codes, 'pending'));
    expect(await stack.timesRetried(codes, 0)).toBe(0);
  });

  test('goes on with another worker when its own is stopped half-way, and retries each once', async () => {
    const [all, half] = [30, 10];
    const codes = await stack.failed(all);
    await stop();
    let begun = 0;
    let lose = () => undefined as void;
    const lost = new Promise<void>((resolve) => {
      lose = resolve;
    });
    stop = await stack.deployment.startWorker({
      retryPayout: async (code, message) => {
        begun += 1;
        if (begun > half) {
          await lost;
          throw new Error('Its worker was stopped.');
        }
        return stack.deployment.own.retryPayout(code, message);
      },
    });
    const id = await stack.start({ filter: { partner_codes: codes }, canary: 0, per_second: 50 });
    // No call is under way when it is stopped: one that is lost has its outcome looked for minutes later.
    const isAnswered = async (code: string) => {
      // A payout that the first worker had is asked about once Temporal has given that up.
      const state = await stack.payments.payout(code).state().catch(unlessUnavailable);
      return (state?.attempts[1]?.service_id ?? null) !== null;
    };
    const areHalfWay = async () => (await Promise.all(codes.map(isAnswered))).filter(Boolean).length === half;
    await vi.waitUntil(areHalfWay, waiting).catch((error: unknown) => {
      // Else its worker would wait for it when it is stopped.
      lose();
      throw error;
    });
    const stopped = stop();
    lose();
    await stopped;

    stop = await stack.deployment.startWorker();
    await stack.until(id, ({ counts }) => counts.pending === 0);
    expect(await stack.timesRetried(codes, all)).toBe(all);
    stack.settle(codes, 'done');
    expect(await stack.finished(id)).toMatchObject({
      counts: { matched: all, done: all, failed_again: 0, refused: 0 },
    });
    expect(await stack.timesRetried(codes, all)).toBe(all);
  });

  testInFull(
    'with one payout that does not answer continues with the others, and is paused, resumed and stopped',
    async () => {
      const codes = await stack.failed(31);
      const [silent = '', ...others] = codes;
      const retry = await withoutAnswerOf(silent);
      const id = await stack.start({ filter: { partner_codes: codes }, canary: 0 });
      const bulkRetry = stack.payments.bulkRetry(id);
      const running = await stack.until(id, ({ unanswered }) => unanswered.length > 0);
      expect(running).toMatchObject({ unanswered: [silent], counts: { pending: 1, retried: 30 } });
      expect(await bulkRetry.pause(command)).toMatchObject({ status: 'paused', unanswered: [silent] });
      const asked = retry.asked();
      expect(await bulkRetry.resume(command)).toMatchObject({ status: 'running' });
      await vi.waitUntil(() => retry.asked() > asked, waiting);
      expect(await bulkRetry.stop(command)).toMatchObject({ status: 'stopped', unanswered: [silent] });
      expect(await stack.timesRetried(codes, 30)).toBe(30);
      stack.settle(others, 'done');
      await stack.until(id, ({ counts }) => counts.done === 30);
      const line = (await stack.report(id)).find(({ partner_code: code }) => code === silent);
      expect(line).toMatchObject({
        outcome: 'pending',
        detail: expect.stringContaining('under way') as string,
      });
      retry.answer();
    },
  );

  testInFull('that is reset starts anew with what is still failed, and its timeline shows that', async () => {
    const codes = await stack.failed(4);
    const [silent = '', ...others] = codes;
    const retry = await withoutAnswerOf(silent);
    const id = await stack.start({ filter: { partner_codes: codes }, canary: 0 });
    await stack.until(id, ({ counts }) => counts.retried === 3);
    await reset(id);
    const isAnew = ({ counts, timeline }: BulkRetryState) =>
      timeline.some(({ what }) => what.includes('Started anew')) && counts.matched > 0;
    expect(await stack.until(id, isAnew)).toMatchObject({ counts: { matched: 1 }, pages: 1 });
    retry.answer();
    await stack.until(id, ({ counts }) => counts.retried === 1);
    expect(outcomes(await stack.report(id))).toEqual({ [silent]: 'retried' });
    expect(await stack.timesRetried(codes, 4)).toBe(4);
    stack.settle([silent, ...others], 'done');
    expect(await stack.finished(id)).toMatchObject({ status: 'finished', counts: { done: 1 } });
  });

  testInFull(
    'that is reset ends the page of the run before while it selects, and answers a pause only after that',
    async () => {
      const [silent = ''] = await stack.failed(1);
      await stop();
      const { own } = stack.deployment;
      let selections = 0;
      let select = () => undefined as void;
      const maySelect = new Promise<void>((resolve) => (select = resolve));
      stop = await stack.deployment.startWorker({
        retryPayout: () => Promise.resolve({ kind: 'unknown' }),
        failedPayouts: async (filter, cursor) => {
          selections += 1;
          if (selections > 1) await maySelect;
          return own.failedPayouts(filter, cursor);
        },
      });
      const id = await stack.start({ filter: { partner_codes: [silent] }, canary: 0 });
      await stack.until(id, ({ unanswered }) => unanswered.length > 0);
      await reset(id);
      await vi.waitUntil(() => selections > 1, waiting);
      const pause = stack.payments.bulkRetry(id).pause(command);
      try {
        const pausing = await stack.until(id, ({ status }) => status === 'paused');
        expect(pausing.awaiting).toBe('the retries under way; then resume or stop');
        const page = stack.deployment.server.client.workflow.getHandle(bulkRetryPageId(id, 1));
        await vi.waitUntil(async () => (await page.query<{ idle: boolean }>('state')).idle, waiting);
      } finally {
        // Else its worker would wait for it when it is stopped.
        select();
      }
      expect(await pause).toMatchObject({ status: 'paused', counts: { matched: 1 }, pages: 1 });
      await stack.payments.bulkRetry(id).stop(command);
      await stack.finished(id);
    },
  );

  testInFull('checks other bulk retries again when an operator has failed that activity', async () => {
    const codes = await stack.failed(1);
    await stop();
    const { own, server } = stack.deployment;
    let checks = 0;
    let end = () => undefined as void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    stop = await stack.deployment.startWorker({
      openBulkRetries: async () => {
        checks += 1;
        if (checks === 1) await ended;
        return own.openBulkRetries();
      },
    });
    const id = await stack.start({ filter: { partner_codes: codes }, canary: 0 });
    await vi.waitUntil(() => checks > 0, waiting);
    const workflowId = bulkRetryWorkflowId(id);
    const { raw } = await server.client.workflow.getHandle(workflowId).describe();
    await server.client.workflowService.respondActivityTaskFailedById({
      ...{ namespace: server.client.options.namespace, workflowId },
      activityId: raw.pendingActivities?.[0]?.activityId ?? '',
      failure: { message: 'by an operator', applicationFailureInfo: { nonRetryable: true } },
    });
    await stack.until(id, ({ counts }) => counts.retried === 1).finally(end);
    stack.settle(codes, 'done');
    await stack.finished(id);
  });

  test('of payouts that a paused one still has to retry is stopped before its first retry, and names that one', async () => {
    const codes = await stack.failed(3);
    const first = await stack.start({ filter: { partner_codes: codes }, canary: 1 });
    await stack.until(first, ({ counts }) => counts.retried === 1);
    await stack.payments.bulkRetry(first).pause(command);
    await vi.waitUntil(async () => (await stack.deployment.own.openBulkRetries()).some(isOf(first)), waiting);
    const second = await stack.start({ filter: { partner_codes: codes } });
    const refused = await stack.finished(second);
    expect(refused).toMatchObject({ status: 'stopped', counts: { matched: 2, pending: 2, retried: 0 } });
    expect(refused.attention_detail).toContain(`Bulk retry ${first}, which is paused`);
    expect(await stack.timesRetried(codes, 1)).toBe(1);
    await stack.payments.bulkRetry(first).stop(command);
    const third = await stack.start({ filter: { partner_codes: codes }, canary: 0 });
    await stack.until(third, ({ counts }) => counts.retried === 2);
    expect(await stack.timesRetried(codes, 3)).toBe(3);
    stack.settle(codes, 'done');
    await Promise.all([first, third].map((id) => stack.finished(id)));
  });

  testInFull('continues as new with all it knows while operators pause and resume it', async () => {
    const codes = await stack.failed(2);
    const id = await stack.start({ filter: { partner_codes: codes }, canary: 1 });
    await stack.until(id, ({ counts }) => counts.retried === 1);
    const handle = stack.deployment.server.client.workflow.getHandle(bulkRetryWorkflowId(id));
    const firstRun = (await handle.describe()).runId;
    let times = 0;
    await vi.waitUntil(async () => {
      if ((await handle.describe()).runId !== firstRun) return true;
      await stack.payments.bulkRetry(id).pause(command);
      await stack.payments.bulkRetry(id).resume(command);
      times += 1;
      expect(times).toBeLessThan(60);
      return false;
    }, waiting);
    expect(await stack.timesRetried(codes, 1)).toBe(1);
    stack.settle(codes, 'done');
    await stack.until(id, ({ counts }) => counts.pending === 0);
    expect(await stack.timesRetried(codes, 2)).toBe(2);
    stack.settle(codes, 'done');
    const state = await stack.finished(id);
    expect(state).toMatchObject({ counts: { matched: 2, done: 2 }, reason: 'the bank is back' });
    expect(state.timeline.filter(({ what }) => what === 'Paused').length).toBeGreaterThanOrEqual(times);
  });
});
