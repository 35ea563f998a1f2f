// Two builds on the newest Temporal, of which the newer one changes a lifecycle so that histories of the older one do not
// replay there. Payments are open in each stage while it is ramped, made current, rolled back and made current again, and
// the older one is drained, by the commands of docs/upgrades.md. Then all payments are brought to their end. No workflow
// task may fail, and by the sandbox's ledger nothing may be paid twice.
// Usage: npm run drill:upgrade -- [--payments 100]
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import Table from 'cli-table3';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow/index.js';
import proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { locateTemporal } from '../../dist/src/dev/embedded-temporal/locate.js';
import { startFleet, withFleet } from './fleet.mjs';
import { paidTwice } from './ledger-checks.mjs';
import { buildIdOf, makeNewerBuild } from './newer-build.mjs';
import { pixPayout } from './requests.mjs';

const { values } = parseArgs({ options: { payments: { type: 'string', default: '100' } } });
const total = Number(values.payments);
const deployment = 'payments';
const longestMs = 180_000;
/** A message came in while the task decided to go on in a new run: it is done again, with the message. */
const overtaken =
  proto.temporal.api.enums.v1.WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND;

/** What the guards of task-order.ts say as they refuse a task; the run then starts again from its history. */
const guarded = ['starts again from its history', 'Ask again'];

/** What the service does with a payout, and the status in which it is then open. */
const stages = [
  { stage: 'moving', tags: [], status: 'claimed' },
  { stage: 'failed', tags: [], sets: 'error', status: 'error' },
  { stage: 'paid', tags: [], sets: 'done', status: 'done' },
  { stage: 'refused', tags: ['422'], status: 'rejected' },
  { stage: 'unknown', tags: [], status: 'submission_unknown' },
];

const newer = await makeNewerBuild();
const older = { buildId: await buildIdOf() };
const fleet = await startFleet('upgrade-drill', {
  storage: 'newest',
  // The renewal of the access token goes on in a new run when it renews.
  sandboxOptions: { progress: 'manual', tokenMinutes: 1 },
});
const temporal = await locateTemporal(process.env, () => undefined);
const close = () => Promise.all([fleet.close(), newer.remove()]);
const rows = [];
await withFleet({ ...fleet, close }, drill);

async function drill() {
  const settings = { WORKER_VERSIONING: 'pinned' };
  const olderWorker = await fleet.worker(settings);
  await fleet.gateway();
  await command('set-current-version', older);
  const open = await openPayments();
  await note('older build alone', open);
  await replaysOnNewerBuildFail(open[0]);

  await fleet.worker(settings, newer.main);
  await command('set-ramping-version', newer, '--percentage', '10');
  await moved(open, ({ newer: count }) => count > 0 && count < total / 2);
  await note('newer build at 10 %', open);
  await command('set-current-version', newer);
  await moved(open, ({ newer: count }) => count === total);
  await note('newer build at 100 %', open);
  const rolledBackAt = Date.now();
  await command('set-current-version', older);
  await moved(open, ({ older: count }) => count === total);
  await note(`rolled back, after ${String(Math.round((Date.now() - rolledBackAt) / 1_000))} s`, open);
  await command('set-current-version', newer);
  await moved(open, ({ newer: count }) => count === total);
  await drained();
  await olderWorker.kill9();
  await note('newer build alone, older one drained', open);

  await endAll(open);
  await note('all at their end', open);
  await report(open);
}

async function openPayments() {
  const open = Array.from({ length: total }, (_, index) => {
    const stage = stages[index % stages.length];
    return { ...stage, code: `${stage.stage}-${String(index)}x` };
  });
  for (const { code } of open.filter(({ stage }) => stage === 'unknown'))
    fleet.sandbox.fault({
      endpoint: 'POST /v1/payout/pix',
      partner_code: code,
      fault: { effect: 'none', status: 503, body: '' },
    });
  for (const { code, tags } of open) {
    const body = pixPayout(code, { tags });
    const { status, text } = await fleet.http('POST', '/v1/payouts/pix', body);
    if (status !== 201 && status !== 202) throw new Error(`${code}: ${text}`);
  }
  for (const { code, sets } of open) {
    if (sets === undefined) continue;
    await fleet.sandbox.until(({ payouts }) => payouts.some(({ partner_code: sent }) => sent === code));
    fleet.sandbox.setPayoutStatus(code, sets);
  }
  for (const payment of open) await reaches(payment, payment.status);
  return open;
}

/** The control: what the older build has written is not what the newer one would write. */
async function replaysOnNewerBuildFail({ code }) {
  const history = await fleet.client.workflow.getHandle(`payout-${code}`).fetchHistory();
  const options = { workflowBundle: { codePath: newer.bundlePath }, ...fleet.replaying };
  const error = await Worker.runReplayHistory(options, history, `payout-${code}`).then(
    () => undefined,
    (reason) => reason,
  );
  if (error?.name !== 'DeterminismViolationError')
    throw new Error(`A history of the older build replays on the newer one: ${String(error)}`);
}

async function reaches({ code }, ...statuses) {
  const deadline = Date.now() + longestMs;
  for (;;) {
    const { body, text } = await fleet.http('GET', `/v1/payouts/${code}`);
    if (statuses.includes(body?.status)) return body;
    if (Date.now() > deadline) throw new Error(`${code} is not ${statuses.join()}: ${text}`);
    await sleep(200);
  }
}

/** On which builds the payments are. */
async function builds(open) {
  const count = { older: 0, newer: 0 };
  for (const { code } of open) {
    const { raw } = await fleet.client.workflow.getHandle(`payout-${code}`).describe();
    const { buildId } = raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion ?? {};
    if (buildId === older.buildId) count.older += 1;
    if (buildId === newer.buildId) count.newer += 1;
  }
  return count;
}

/** Payments move with their next task: the hints stand for the reads of a week. */
async function moved(open, holds) {
  const deadline = Date.now() + longestMs;
  for (;;) {
    for (const { code } of open) await fleet.client.workflow.getHandle(`payout-${code}`).signal('statusHint');
    await sleep(1_000);
    const count = await builds(open);
    if (holds(count)) return;
    if (Date.now() > deadline) throw new Error(`The payments are on ${JSON.stringify(count)}`);
  }
}

async function drained() {
  const deadline = Date.now() + longestMs;
  for (;;) {
    const printed = await command('describe-version', older);
    if (/drained/i.test(printed.replaceAll(/draining/gi, ''))) return;
    if (Date.now() > deadline) throw new Error(`The older build is not drained: ${printed}`);
    await sleep(1_000);
  }
}

async function endAll(open) {
  for (const { code, stage } of open) {
    const path = `/v1/payouts/${code}`;
    if (stage === 'moving') fleet.sandbox.setPayoutStatus(code, 'done');
    if (stage === 'unknown')
      await fleet.http('POST', `${path}/resolve`, { nothing_happened: true, reason: 'drill' });
    if (['failed', 'refused', 'unknown'].includes(stage)) {
      const { status, text } = await fleet.http('POST', `${path}/retry`, {
        ...{ reason: 'drill', corrections: { pix: 'right@example.com' } },
      });
      if (status >= 400) throw new Error(`${code}: ${text}`);
    }
  }
  for (const { code, stage } of open) {
    if (['failed', 'refused', 'unknown'].includes(stage)) {
      await reaches({ code }, 'claimed', 'done');
      fleet.sandbox.setPayoutStatus(`${code}-r2`, 'done');
    }
    await reaches({ code }, 'done');
  }
}

async function note(step, open) {
  const { older: onOlder, newer: onNewer } = await builds(open);
  rows.push([step, onOlder, onNewer, await failedTasks()]);
  console.log(`${new Date().toISOString().slice(11, 19)} ${rows.at(-1).join(' | ')}`);
}

/**
 * Workflow tasks that have failed, in all runs there ever were. Those that a message overtook are none, nor are those
 * that our guards have had done again (docs/decisions/queries-and-tasks.md).
 */
async function failedTasks() {
  let failed = 0;
  for await (const { workflowId, runId } of fleet.client.workflow.list({ query: "WorkflowType != ''" })) {
    const { events } = await fleet.client.workflow.getHandle(workflowId, runId).fetchHistory();
    for (const { workflowTaskFailedEventAttributes: task } of events) {
      if (task == null || task.cause === overtaken) continue;
      const why = String(await whyOf(task));
      if (guarded.some((words) => why.includes(words))) continue;
      failed += 1;
      console.log(`${workflowId} ${runId}: cause ${String(task.cause)}, ${why}`);
    }
  }
  return failed;
}

/** A failure is encrypted like all that the workers write. */
async function whyOf({ failure }) {
  const { loadedDataConverter } = fleet.client.options;
  return (await decodeOptionalFailureToOptionalError(loadedDataConverter, failure))?.stack;
}

/** A command of docs/upgrades.md. */
async function command(name, { buildId }, ...more) {
  const args = ['--deployment-name', deployment, '--build-id', buildId, ...more];
  const confirm = name.startsWith('set-') ? ['--yes'] : [];
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      const address = ['--address', fleet.temporal.address];
      const all = ['worker', 'deployment', name, ...args, ...confirm, ...address];
      return (await promisify(execFile)(temporal, all)).stdout;
    } catch (error) {
      // The server knows a build once its worker has asked for tasks.
      if (Date.now() > deadline) throw error;
      await sleep(500);
    }
  }
}

async function report(open) {
  const table = new Table({
    head: ['step', 'on the older build', 'on the newer', 'failed tasks'],
    style: { head: [] },
  });
  table.push(...rows);
  console.log(table.toString());
  const ledger = fleet.sandbox.ledger();
  const twice = paidTwice(ledger);
  const paid = ledger.payouts.filter(({ status }) => status === 'done').length;
  console.log(`${String(open.length)} payments, ${String(paid)} paid, ${String(twice.length)} paid twice`);
  for (const violation of twice) console.log(`VIOLATION: ${violation}`);
  const isAsItShouldBe =
    twice.length === 0 && paid === open.length && rows.every(([, , , failed]) => failed === 0);
  process.exitCode = isAsItShouldBe ? 0 : 1;
}
