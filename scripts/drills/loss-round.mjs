import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { payoutOf } from './ledger-checks.mjs';
import { startLoad } from './load.mjs';

/** What was answered so short before the copy may not be in it. */
const unsureMs = 1_000;
/** A call that was decided upon before may still be sent for so long. A slower restart would show only what is then over. */
const sendableMs = 35_000;

/**
 * One loss of Temporal's last seconds, and the restore by the runbook (docs/operations.md). `processes` are the worker
 * and the gateway that are up; the gateway survives every other time, with the memory of its card store.
 */
export async function loseAndRestore({ fleet, oms, random, processes }) {
  const dir = await mkdtemp(join(fleet.dataDir, 'copy-'));
  await endRestore(fleet, processes);
  await oms.untilOnePaid();
  const load = startLoad(oms);
  await sleep(random.between(300, 1_500));
  await fleet.temporal.copy(dir);
  const copiedAt = Date.now();
  await sleep(random.between(100, 3_000));

  const stopped = load.stop();
  const killedAt = Date.now();
  const gatewayDies = random.oneIn(2);
  await Promise.all([
    fleet.temporal.kill(),
    processes.worker.kill9(),
    gatewayDies ? processes.gateway.kill9() : undefined,
  ]);
  await stopped;
  await fleet.temporal.putBack(dir);
  await rm(dir, { recursive: true });

  await fleet.temporal.start();
  processes.worker = await fleet.worker({ SCAN_BEFORE_SEND: 'always' });
  if (gatewayDies) processes.gateway = await fleet.gateway();
  await answersAgain(oms);
  const downMs = Date.now() - killedAt;
  const isUnsure = ({ answeredAt }) => answeredAt === undefined || answeredAt >= copiedAt - unsureMs;
  const since = [...oms.payments.values()].filter(isUnsure);
  const lost = await lostOf(oms, since);
  const { repeated } = await repeatUnsure(oms, random, since, lost);
  const { reported, violations } = await reconcile(fleet, oms, lost);
  if (downMs >= sendableMs)
    violations.push(`the restart took ${seconds(downMs)}, so nothing old could be sent`);
  return { since: since.length, lost: lost.length, repeated, downMs, reported, violations };
}

/** The last step of the runbook: from now on payouts are sent without a scan again. */
async function endRestore(fleet, processes) {
  processes.worker.kill('SIGTERM');
  await processes.worker.exited;
  processes.worker = await fleet.worker();
}

export const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;

async function answersAgain(oms) {
  while ((await oms.ask('GET', '/v1/payouts?limit=1'))?.status !== 200) await sleep(100);
}

/** What Temporal knows nothing of any more. */
async function lostOf(oms, since) {
  const known = await Promise.all(since.map((payment) => isKnown(oms, payment)));
  return since.filter((_, index) => !known[index]);
}

export async function isKnown(oms, { path }) {
  for (;;) {
    const answer = await oms.ask('GET', path);
    if (answer?.status === 200) return true;
    if (answer?.status === 404) return false;
    await sleep(200);
  }
}

/**
 * The OMS repeats what it started in the lost time, under the same codes. Of the lost payouts that were sent it leaves
 * out some, which the reconciliation has to report. Orders it compares with the service first.
 */
async function repeatUnsure(oms, random, since, lost) {
  const { payouts } = oms.fleet.sandbox.ledger();
  const paid = new Set(payouts.map(({ partner_code: code }) => payoutOf(code)));
  const isLeftOut = (payment) =>
    payment.kind === 'payout' && paid.has(payment.code) && lost.includes(payment) && random.oneIn(4);
  const repeated = since.filter(
    (payment) => !isLeftOut(payment) && (payment.kind !== 'order' || !isAtTheService(oms, payment)),
  );
  for (const payment of repeated) await untilAnswered(oms, payment);
  return { repeated: repeated.length };
}

export function isAtTheService(oms, { code }) {
  return oms.fleet.sandbox.ledger(code).orders.length > 0;
}

async function untilAnswered(oms, payment) {
  for (;;) {
    const answer = await oms.repeat(payment);
    if (answer !== undefined && answer.status < 500) return;
    await sleep(200);
  }
}

/** Every payout that the service has and nobody here knows is reported; then the OMS repeats it, and it is known. */
async function reconcile(fleet, oms, lost) {
  const { payouts } = fleet.sandbox.ledger();
  const paid = new Set(payouts.map(({ partner_code: code }) => payoutOf(code)));
  const unknown = [];
  for (const payment of lost.filter(({ code, kind }) => kind === 'payout' && paid.has(code)))
    if (!(await isKnown(oms, payment))) unknown.push(payment);
  const orphans = await reportedOrphans(fleet);
  const missed = unknown
    .filter(({ code }) => !orphans.has(code))
    .map(({ code }) => `${code} was not reported`);
  const wrong = [...orphans].filter((code) => !unknown.some((payment) => payment.code === code));
  for (const payment of unknown) await untilAnswered(oms, payment);
  return {
    reported: orphans.size,
    violations: [...missed, ...wrong.map((code) => `${code} was reported, and is known`)],
  };
}

/** The codes of the payouts that the service has and no workflow here owns. */
export async function reportedOrphans(fleet) {
  const { orphans } = await fleet.payments.reconcile({ full: true });
  return new Set(orphans.payouts.map(({ partner_code: code }) => payoutOf(code)));
}
