// Payments under load, a copy of Temporal's database, more payments, SIGKILL of everything, the copy put back, and the
// restore by the runbook of docs/operations.md; the sandbox's ledger then shows whether anything was paid twice or lost.
// Usage: npm run drill:loss -- [--times 10] [--seed 1]
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { startFleet, withFleet } from './fleet.mjs';
import { unreplayable } from './histories.mjs';
import { paidTwice } from './ledger-checks.mjs';
import { loseAndRestore, reportedOrphans, seconds } from './loss-round.mjs';
import { Oms } from './oms.mjs';
import { startOperator } from './operator.mjs';
import { differences, unfollowedOrders, untilSettled } from './settlement.mjs';
import { seeded } from './simulation.mjs';

const { values } = parseArgs({
  options: { times: { type: 'string', default: '10' }, seed: { type: 'string', default: '1' } },
});
const [times, seed] = [Number(values.times), Number(values.seed)];
/** A payout that was being sent when its worker died is looked for from 75 seconds on, for half an hour of service time. */
const settledWithinMs = 200_000;

const fleet = await startFleet('loss-drill', {
  storage: 'file',
  sandboxOptions: {
    timeScale: 0.1,
    // Behind by two minutes: the reconciliation leaves alone what is younger than one.
    now: () => Date.now() - 120_000,
  },
});
await withFleet(fleet, drill);

async function drill() {
  const random = seeded(seed);
  const oms = new Oms(fleet, random);
  const processes = { worker: await fleet.worker(), gateway: await fleet.gateway() };
  const operator = startOperator(oms);
  const rounds = [];
  for (let round = 1; round <= times; round += 1) {
    rounds.push(await loseAndRestore({ fleet, oms, random, processes }));
    const { lost, repeated, reported, since, violations } = rounds.at(-1);
    console.log(
      `${new Date().toISOString().slice(11, 19)} round ${String(round)}: ${String(since)} started in the lost time, ` +
        `${String(lost)} lost, ${String(repeated)} repeated, ${String(reported)} reported ${violations.join('; ')}`,
    );
    if (paidTwice(fleet.sandbox.ledger()).length > 0) break;
  }
  const unsettled = await untilSettled(oms, settledWithinMs);
  await operator.stop();
  report(rounds, oms, [
    ...rounds.flatMap(({ violations }) => violations),
    ...[...(await reportedOrphans(fleet))].map((code) => `${code} is an orphan at the end`),
    ...unsettled.map(
      ({ answer, lastRead, path }) => `${path} has no end: ${String(lastRead)}; started: ${String(answer)}`,
    ),
    ...(unsettled.length === 0 ? await differences(oms) : []),
    ...(await unreplayable(fleet)),
  ]);
}

function report(rounds, oms, others) {
  const sum = (name) => rounds.reduce((total, round) => total + round[name], 0);
  const { payments } = oms;
  const twice = paidTwice(fleet.sandbox.ledger());
  const table = new Table({ style: { head: [] } });
  table.push(
    { rounds: rounds.length },
    { 'longest restart': seconds(Math.max(...rounds.map(({ downMs }) => downMs))) },
    { payments: payments.size },
    { 'started in the lost time': sum('since') },
    { 'of these forgotten by Temporal': sum('lost') },
    { 'repeated by the OMS': sum('repeated') },
    { 'paid, charged or refunded twice': twice.length },
    { 'not repeated, and reported by the reconciliation': sum('reported') },
    { 'charged orders that nothing follows': unfollowedOrders(oms).length },
    { 'other violations': others.length },
  );
  console.log(`Seed ${String(seed)}\n${table.toString()}`);
  for (const violation of [...twice, ...others]) console.log(`VIOLATION: ${violation}`);
  for (const record of twiceMade())
    console.log(JSON.stringify(record), payments.get(`/v1/payouts/${record.partner_code}`)?.lastRead);
  process.exitCode = twice.length + others.length === 0 ? 0 : 1;
}

function twiceMade() {
  const { orders, payouts } = fleet.sandbox.ledger();
  return [...orders, ...payouts].filter(({ times_created: times }) => times > 1);
}
