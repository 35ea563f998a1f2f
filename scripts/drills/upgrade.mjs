// Two builds on the newest Temporal, of which the newer one changes each lifecycle so that histories of the older one do
// not replay there. Payments are open in each stage of each lifecycle while it is ramped, made current, rolled back and
// made current again, and the older one is drained, by the commands of docs/upgrades.md. Then all payments are brought
// to their end. No workflow task may fail, and by the sandbox's ledger each payment has to be paid, or refunded, once.
// Usage: npm run drill:upgrade -- [--payments 185]
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import Table from 'cli-table3';
import { decodeOptionalFailureToOptionalError } from '@temporalio/common/lib/internal-non-workflow/index.js';
import proto from '@temporalio/proto';
import { Worker } from '@temporalio/worker';
import { locateTemporal } from '../../dist/src/dev/embedded-temporal/locate.js';
import { inFlight } from '../in-flight.mjs';
import { startFleet, withFleet } from './fleet.mjs';
import { paidTwice } from './ledger-checks.mjs';
import { ledgerFaults } from './ledger-ends.mjs';
import { buildIdOf, makeNewerBuild } from './newer-build.mjs';
import { PaymentMover } from './payment-mover.mjs';
import { stages } from './stages/index.mjs';

const { values } = parseArgs({ options: { payments: { type: 'string', default: '185' } } });
const total = Number(values.payments);
const deployment = 'payments';
const longestMs = 180_000;
/** A message came in while the task decided to go on in a new run: it is done again, with the message. */
const overtaken =
  proto.temporal.api.enums.v1.WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_UNHANDLED_COMMAND;

/** What the guard of queries-ahead-of-tasks.ts says as it refuses a task; the run then starts again from its history. */
const guarded = 'Ask again';

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
  const all = open.workflows.length;
  await note('older build alone', open);
  await replaysOnNewerBuildFail(open);

  await fleet.worker(settings, newer.main);
  await command('set-ramping-version', newer, '--percentage', '10');
  await moved(open, ({ newer: count }) => count > 0 && count < all / 2);
  await note('newer build at 10 %', open);
  await command('set-current-version', newer);
  await moved(open, ({ newer: count }) => count === all);
  await note('newer build at 100 %', open);
  const rolledBackAt = Date.now();
  await command('set-current-version', older);
  await moved(open, ({ older: count }) => count === all);
  await note(`rolled back, after ${String(Math.round((Date.now() - rolledBackAt) / 1_000))} s`, open);
  await command('set-current-version', newer);
  await moved(open, ({ newer: count }) => count === all);
  await drained();
  await olderWorker.kill9();
  await note('newer build alone, older one drained', open);

  await endAll(open);
  await note('all at their end', open);
  await report(open);
}

/** As many payments in each stage. */
async function openPayments() {
  const mover = new PaymentMover(fleet);
  const opened = await tenAtATime(Array.from({ length: total }), async (_, index) => {
    const stage = stages[Math.floor((index * stages.length) / total)];
    const code = `${stage.lifecycle.replaceAll('_', '-')}-${String(index)}x`;
    await stage.open(mover, code);
    const { workflow_id: own } = await mover.until(stage.lifecycle, code, stage.shows);
    return { stage, code, workflows: stage.lifecycle === 'refund' ? [own, `order-${code}`] : [own] };
  });
  return { mover, opened, workflows: opened.flatMap(({ workflows }) => workflows) };
}

async function tenAtATime(all, act) {
  return (await inFlight(all.length, 10, (index) => act(all[index], index))).answers;
}

/** The stages of a payment that has been read. */
const readAlready = ['follow', 'confirm'];

/** The control: what the older build has written is not what the newer one would write. */
async function replaysOnNewerBuildFail({ opened }) {
  for (const kind of ['payout', 'card_order', 'refund']) {
    const [workflowId] = opened.find(
      ({ stage }) => stage.lifecycle === kind && readAlready.includes(stage.stage),
    ).workflows;
    const history = await fleet.client.workflow.getHandle(workflowId).fetchHistory();
    const options = { workflowBundle: { codePath: newer.bundlePath }, ...fleet.replaying };
    const error = await Worker.runReplayHistory(options, history, workflowId).then(
      () => undefined,
      (reason) => reason,
    );
    if (error?.name !== 'DeterminismViolationError')
      throw new Error(
        `A history of ${workflowId} of the older build replays on the newer one: ${String(error)}`,
      );
  }
}

/** On which builds the workflows are. */
async function builds({ workflows }) {
  const ids = await tenAtATime(workflows, async (workflowId) => {
    const { raw } = await fleet.client.workflow.getHandle(workflowId).describe();
    return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
  });
  const on = ({ buildId }) => ids.filter((each) => each === buildId).length;
  return { older: on(older), newer: on(newer) };
}

/** Payments move with their next task: the hints stand for the reads of a week. */
async function moved(open, holds) {
  const deadline = Date.now() + longestMs;
  for (;;) {
    await tenAtATime(open.workflows, (id) => fleet.client.workflow.getHandle(id).signal('statusHint'));
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

async function endAll({ mover, opened }) {
  mover.release();
  await tenAtATime(opened, async ({ code, stage }) => {
    await stage.finish?.(mover, code);
    await mover.reaches(stage.lifecycle, code, stage.end);
  });
}

async function note(step, open) {
  const { older: onOlder, newer: onNewer } = await builds(open);
  rows.push([step, onOlder, onNewer, await failedTasks()]);
  console.log(`${new Date().toISOString().slice(11, 19)} ${rows.at(-1).join(' | ')}`);
}

/**
 * Workflow tasks that have failed, in all runs there ever were. Those that a message overtook are none, nor are those
 * that our guard has had done again (docs/decisions/reads-as-activities.md).
 */
async function failedTasks() {
  let failed = 0;
  for await (const { workflowId, runId } of fleet.client.workflow.list({ query: "WorkflowType != ''" })) {
    const { events } = await fleet.client.workflow.getHandle(workflowId, runId).fetchHistory();
    for (const { workflowTaskFailedEventAttributes: task } of events) {
      if (task == null || task.cause === overtaken) continue;
      const why = String(await whyOf(task));
      if (why.includes(guarded)) continue;
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

async function report({ opened, workflows }) {
  const table = new Table({
    head: ['step', 'on the older build', 'on the newer', 'failed tasks'],
    style: { head: [] },
  });
  table.push(...rows);
  console.log(table.toString());
  const ledger = fleet.sandbox.ledger();
  const violations = [...paidTwice(ledger), ...ledgerFaults(ledger, opened)];
  console.log(
    `${String(opened.length)} payments in ${String(stages.length)} stages, ${String(workflows.length)} workflows, ` +
      `all at their end; ${String(violations.length)} not as the service has it, or paid twice`,
  );
  for (const violation of violations) console.log(`VIOLATION: ${violation}`);
  process.exitCode = violations.length === 0 && rows.every(([, , , failed]) => failed === 0) ? 0 : 1;
}
