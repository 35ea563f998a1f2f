import { describe, expect, vi } from 'vitest';
import type { BulkRetryLine } from '../../src/contract/bulk-retry.js';
import { bulkRetryPageId, bulkRetryWorkflowId } from '../../src/domain/ids.js';
import { test } from '../support/bulk-retries.js';
import type { Deployment } from '../support/deployment.js';
import { recordedAs } from '../support/keep-histories.js';
import { resetToFirstTask } from '../support/resets.js';
import { inFull } from '../support/tools.js';
import { waiting } from '../support/waiting.js';

const command = { reason: 'the bank says so', by: 'ana' };
const outcomes = (report: readonly BulkRetryLine[]) =>
  Object.fromEntries(report.map(({ outcome, partner_code: code }) => [code, outcome]));

/**
 * What it selects, when it stops, what it counts, and what a pause or a payout that does not answer means are rules:
 * `test/domain/bulk-retry.test.ts`, `test/activities/retry-payouts.test.ts`, `bulk-retry-campaign.test.ts`,
 * `bulk-retry-page.test.ts`. A dry run and its commands over HTTP: `test/gateway/bulk-retries.server.test.ts`.
 */
const testInFull = test.runIf(inFull());

const handleOf = ({ server }: Deployment, id: string) =>
  server.client.workflow.getHandle(bulkRetryWorkflowId(id));

describe('a bulk retry', () => {
  test(
    'selects what failed, retries a canary, then the others, and reports each',
    recordedAs('bulk-retry-finished'),
    async ({ bulkRetries, payments }) => {
      const codes = await bulkRetries.failed(5);
      const id = await bulkRetries.start({ filter: { partner_codes: codes }, canary: 2 });

      const canary = await bulkRetries.until(id, ({ counts }) => counts.retried === 2);
      expect(canary).toMatchObject({ status: 'canary', counts: { matched: 5, pending: 3, retried: 2 } });
      expect(canary.groups).toEqual([
        { cause: 'service_error', words: 'The service shows the payout as failed.', count: 5, value: 751.25 },
      ]);
      expect(await bulkRetries.timesRetried(codes, 2)).toBe(2);

      bulkRetries.settle(codes, 'done');
      await bulkRetries.until(id, ({ counts }) => counts.retried === 3 && counts.done === 2);
      expect(await bulkRetries.timesRetried(codes, 5)).toBe(5);
      bulkRetries.settle(codes, 'done');
      expect(await bulkRetries.finished(id)).toMatchObject({
        status: 'finished',
        attention: null,
        counts: { matched: 5, pending: 0, retried: 0, done: 5, failed_again: 0, refused: 0 },
        values: { matched: 751.25, done: 751.25 },
      });
      const report = await bulkRetries.report(id);
      expect(outcomes(report)).toEqual(Object.fromEntries(codes.map((code) => [code, 'done'])));
      expect(report[0]).toMatchObject({ value: 150.25, attempt: 1, cause: 'service_error', detail: null });
      expect(await bulkRetries.timesRetried(codes, 5)).toBe(5);
      const [attempt] = (await payments.payout(codes[0] ?? '').state()).attempts.slice(1);
      expect(attempt).toMatchObject({ number: 2, bulk_retry_id: id });
    },
  );

  testInFull(
    'stops by itself when too many fail again, asks for an operator, and goes on on command',
    recordedAs('bulk-retry-stopped-by-itself'),
    async ({ bulkRetries, deployment, payments }) => {
      const codes = await bulkRetries.failed(4);
      const id = await bulkRetries.start({ filter: { partner_codes: codes }, canary: 2 });
      await bulkRetries.until(id, ({ counts }) => counts.retried === 2);
      expect(await bulkRetries.timesRetried(codes, 2)).toBe(2);
      bulkRetries.settle(codes, 'error');

      const stopped = await bulkRetries.until(id, ({ status }) => status === 'stopped');
      expect(stopped).toMatchObject({
        attention: 'bulk_retry_stopped',
        attention_detail: expect.stringContaining('2 of 2 failed again') as string,
        counts: { pending: 2, failed_again: 2 },
        closed: false,
      });
      expect((await handleOf(deployment, id).describe()).searchAttributes).toMatchObject({
        PaymentKind: ['bulk_retry'],
        PaymentStatus: ['stopped'],
        PaymentAttention: ['bulk_retry_stopped'],
      });

      expect(await payments.bulkRetry(id).resume(command)).toMatchObject({ attention: null });
      await bulkRetries.until(id, ({ counts }) => counts.retried === 2);
      expect(await bulkRetries.timesRetried(codes, 4)).toBe(4);
      bulkRetries.settle(codes, 'done');
      const state = await bulkRetries.finished(id);
      // Those of the canary are done after all: they had failed again, and that stays in the report.
      expect(state.counts).toMatchObject({ matched: 4, done: 2, failed_again: 2 });
      expect(state.timeline).toContainEqual(expect.objectContaining({ what: 'Resumed', by: 'ana' }));
    },
  );

  test.for([
    [false, 'canary'],
    [true, 'dry_run'],
  ] as const)(
    'with dry_run %s is searched for as a %s from its first moment on',
    async ([isDryRun, status], { bulkRetries, deployment }) => {
      await bulkRetries.stopWorker();
      const id = await bulkRetries.start({ dry_run: isDryRun, filter: { partner_codes: ['none'] } });
      const { searchAttributes } = await handleOf(deployment, id).describe();
      expect(searchAttributes).toMatchObject({ PaymentStatus: [status] });
    },
  );

  test('goes on with another worker when its own is stopped half-way, and retries each once', async ({
    bulkRetries,
    deployment,
  }) => {
    const [all, half] = [12, 4];
    const codes = await bulkRetries.failed(all);
    const lost = deployment.heldUp();
    let begun = 0;
    await bulkRetries.replaceWorker({
      retryPayout: async (code, message) => {
        begun += 1;
        if (begun > half) {
          await lost.passed;
          throw new Error('Its worker was stopped.');
        }
        return deployment.own.retryPayout(code, message);
      },
    });
    const id = await bulkRetries.start({ filter: { partner_codes: codes }, canary: 0 });
    // No call is under way when it is stopped: one that is lost has its outcome looked for minutes later.
    await bulkRetries.shown(codes, 'claimed', half);
    const stopped = bulkRetries.stopWorker();
    lost.open();
    await stopped;

    await bulkRetries.replaceWorker({});
    await bulkRetries.until(id, ({ counts }) => counts.pending === 0);
    expect(await bulkRetries.timesRetried(codes, all)).toBe(all);
    bulkRetries.settle(codes, 'done');
    expect(await bulkRetries.finished(id)).toMatchObject({
      counts: { matched: all, done: all, failed_again: 0, refused: 0 },
    });
    expect(await bulkRetries.timesRetried(codes, all)).toBe(all);
  });

  testInFull(
    'that is reset ends the page of the run before while it selects, answers a pause only after that, and starts anew with what is still failed',
    async ({ bulkRetries, deployment, payments }) => {
      const codes = await bulkRetries.failed(2);
      const { own, server } = deployment;
      const selection = deployment.heldUp();
      let selections = 0;
      let silent = codes[0];
      await bulkRetries.replaceWorker({
        retryPayout: (code, message) =>
          code === silent ? Promise.resolve({ kind: 'unknown' }) : own.retryPayout(code, message),
        failedPayouts: async (filter, cursor) => {
          selections += 1;
          if (selections > 1) await selection.passed;
          return own.failedPayouts(filter, cursor);
        },
      });
      const id = await bulkRetries.start({ filter: { partner_codes: codes }, canary: 0 });
      await bulkRetries.until(
        id,
        ({ counts, unanswered }) => counts.retried === 1 && unanswered.length === 1,
      );
      await bulkRetries.shown(codes, 'claimed', 1);
      await resetToFirstTask(server.client, bulkRetryWorkflowId(id));
      await vi.waitUntil(() => selections > 1, waiting);
      const pause = payments.bulkRetry(id).pause(command);
      const pausing = await bulkRetries.until(id, ({ status }) => status === 'paused');
      expect(pausing.awaiting).toBe('the retries under way; then resume or stop');
      const page = server.client.workflow.getHandle(bulkRetryPageId(id, 1));
      await vi.waitUntil(async () => (await page.query<{ idle: boolean }>('state')).idle, waiting);
      selection.open();
      expect(await pause).toMatchObject({ status: 'paused', counts: { matched: 1 }, pages: 1 });

      silent = undefined;
      const { timeline } = await payments.bulkRetry(id).resume(command);
      expect(timeline.map(({ what }) => what).join()).toContain('Started anew');
      await bulkRetries.until(id, ({ counts }) => counts.retried === 1);
      expect(await bulkRetries.timesRetried(codes, 2)).toBe(2);
      bulkRetries.settle(codes, 'done');
      expect(await bulkRetries.finished(id)).toMatchObject({ status: 'finished', counts: { done: 1 } });
      expect(outcomes(await bulkRetries.report(id))).toEqual({ [codes[0] ?? '']: 'done' });
    },
  );

  testInFull(
    'checks other bulk retries again when an operator has failed that activity',
    async ({ bulkRetries, deployment }) => {
      const codes = await bulkRetries.failed(1);
      const { own, server } = deployment;
      const { open, passed } = deployment.heldUp();
      let checks = 0;
      await bulkRetries.replaceWorker({
        openBulkRetries: async () => {
          checks += 1;
          if (checks === 1) await passed;
          return own.openBulkRetries();
        },
      });
      const id = await bulkRetries.start({ filter: { partner_codes: codes }, canary: 0, poll_scale: 0.02 });
      await vi.waitUntil(() => checks > 0, waiting);
      const { raw } = await handleOf(deployment, id).describe();
      await server.client.workflowService.respondActivityTaskFailedById({
        ...{ namespace: server.client.options.namespace, workflowId: bulkRetryWorkflowId(id) },
        activityId: raw.pendingActivities?.[0]?.activityId ?? '',
        failure: { message: 'by an operator', applicationFailureInfo: { nonRetryable: true } },
      });
      await bulkRetries.until(id, ({ counts }) => counts.retried === 1);
      open();
    },
  );

  test('of payouts that a paused one still has to retry is stopped before its first retry, and names that one', async ({
    bulkRetries,
    deployment,
    payments,
  }) => {
    const codes = await bulkRetries.failed(3);
    const first = await bulkRetries.start({ filter: { partner_codes: codes }, canary: 1 });
    await bulkRetries.until(first, ({ counts }) => counts.retried === 1);
    await payments.bulkRetry(first).pause(command);
    await vi.waitUntil(
      async () => (await deployment.own.openBulkRetries()).some((open) => open.bulk_retry_id === first),
      waiting,
    );
    const second = await bulkRetries.start({ filter: { partner_codes: codes } });
    const refused = await bulkRetries.finished(second);
    expect(refused).toMatchObject({ status: 'stopped', counts: { matched: 2, pending: 2, retried: 0 } });
    expect(refused.attention_detail).toContain(`Bulk retry ${first}, which is paused`);
    expect(await bulkRetries.timesRetried(codes, 1)).toBe(1);
    await payments.bulkRetry(first).stop(command);
    const third = await bulkRetries.start({ filter: { partner_codes: codes }, canary: 0 });
    await bulkRetries.until(third, ({ counts }) => counts.retried === 2);
    expect(await bulkRetries.timesRetried(codes, 3)).toBe(3);
    bulkRetries.settle(codes, 'done');
    await Promise.all([first, third].map((id) => bulkRetries.finished(id)));
  });

  testInFull(
    'continues as new with all it knows while operators pause and resume it',
    async ({ bulkRetries, deployment, payments }) => {
      const codes = await bulkRetries.failed(2);
      const id = await bulkRetries.start({ filter: { partner_codes: codes }, canary: 1 });
      await bulkRetries.until(id, ({ counts }) => counts.retried === 1);
      const runOf = async () => (await handleOf(deployment, id).describe()).runId;
      const firstRun = await runOf();
      let times = 0;
      while ((await runOf()) === firstRun) {
        await payments.bulkRetry(id).pause(command);
        await payments.bulkRetry(id).resume(command);
        times += 1;
      }
      expect(await bulkRetries.timesRetried(codes, 1)).toBe(1);
      bulkRetries.settle(codes, 'done');
      await bulkRetries.until(id, ({ counts }) => counts.pending === 0);
      expect(await bulkRetries.timesRetried(codes, 2)).toBe(2);
      bulkRetries.settle(codes, 'done');
      const state = await bulkRetries.finished(id);
      expect(state).toMatchObject({ counts: { matched: 2, done: 2 }, reason: 'the bank is back' });
      expect(state.timeline.filter(({ what }) => what === 'Paused')).toHaveLength(times);
    },
  );
});
