// Plans of the simulation (test/simulation/plan.ts) on a real Temporal with its database in a file, a real worker and a
// real gateway, each killed with SIGKILL at random moments; violations are found in the sandbox's ledger and the final states.
// Usage: npm run torture -- [--minutes 5] [--seed 1] [--at-once 8]
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { startFleet, withFleet } from './fleet.mjs';
import { standOf, unreplayable } from './histories.mjs';
import { startKilling } from './killing.mjs';
import { violationsOf } from './plan-end.mjs';
import { samplePlans, seeded } from './simulation.mjs';
import { tortureKinds, TorturedPayment } from './tortured-payment.mjs';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    'at-once': { type: 'string', default: '8' },
  },
});
const seed = Number(values.seed);
let endsAt = 0;
/** A call that was under way when its worker died is looked for from 75 seconds on. */
const settledWithinMs = 240_000;

const fleet = await startFleet('torture', { storage: 'file', sandboxOptions: { progress: 'manual' } });
await withFleet(fleet, torture);

async function torture() {
  const random = seeded(seed);
  const processes = { worker: await fleet.worker(), gateway: await fleet.gateway() };
  endsAt = Date.now() + Number(values.minutes) * 60_000;
  const killing = startKilling(fleet, processes, random);
  const payments = [];
  await Promise.all(
    Array.from({ length: Number(values['at-once']) }, (_, slot) => tortureOneByOne(slot, payments)),
  );
  const kills = await killing.stop();
  console.log(`${String(payments.length)} payments were started; no process is killed any more`);
  const deadline = Date.now() + settledWithinMs;
  let open = payments;
  while (open.length > 0 && Date.now() < deadline) {
    for (const payment of open) await payment.settle();
    open = open.filter(({ isSettled }) => !isSettled);
    await sleep(1_000);
  }
  await report(payments, kills);
}

async function tortureOneByOne(slot, payments) {
  for (let turn = 0; Date.now() < endsAt; turn += 1) {
    const kind = tortureKinds[(slot + turn) % tortureKinds.length];
    const [plan] = await samplePlans(kind, 1, seed * 1_000_003 + slot * 10_007 + turn);
    const code = `t${String(slot)}-${String(turn)}x`;
    const payment = new TorturedPayment({ code, fleet, plan });
    payments.push(payment);
    await payment.live();
  }
}

async function report(payments, kills) {
  const table = new Table({
    head: [
      'lifecycle',
      'payments',
      'acknowledged',
      'commands taken',
      'refused',
      'resets',
      'final',
      'need an operator',
      'violations',
    ],
    style: { head: [] },
  });
  const found = payments.map((payment) => ({ payment, violations: violations(payment) }));
  for (const kind of tortureKinds) {
    const some = found.filter(({ payment }) => payment.plan.kind === kind);
    const count = (of) => some.reduce((sum, one) => sum + of(one), 0);
    table.push([
      kind,
      some.length,
      count(({ payment }) => Number(payment.acknowledged)),
      count(({ payment }) => payment.taken),
      count(({ payment }) => payment.refused),
      count(({ payment }) => payment.resets),
      count(({ payment }) => Number(payment.isFinal)),
      count(({ payment }) => Number(!payment.isFinal && payment.needsOperator)),
      count(({ violations }) => violations.length),
    ]);
  }
  console.log(`Seed ${String(seed)}; killed: ${JSON.stringify(kills)}\n${table.toString()}`);
  const broken = found.filter(({ violations }) => violations.length > 0);
  for (const { payment, violations } of broken) {
    console.log(`VIOLATION of ${payment.code}: ${violations.join('; ')}`);
    console.log(`  plan ${JSON.stringify(payment.plan)}`);
    console.log(`  ledger ${JSON.stringify(payment.records())}`);
    console.log(`  state ${JSON.stringify(payment.state)}`);
    console.log(`  last read ${String(payment.lastRead)}`);
    console.log(await standOf(fleet, payment.workflowId).catch(String));
  }
  const unable = await unreplayable(fleet);
  for (const fault of unable) console.log(`VIOLATION: ${fault}`);
  process.exitCode = broken.length + unable.length === 0 ? 0 : 1;
}

function violations(payment) {
  const { acknowledged, lastRead, plan, retriesTaken, state } = payment;
  const records = payment.records();
  const followed = acknowledged ? state : undefined;
  const isUnknown = acknowledged && state === undefined;
  return [
    ...violationsOf({ kind: plan.kind, records, retriesTaken, state: followed }),
    ...(isUnknown ? [`acknowledged, and unknown: ${String(lastRead)}`] : []),
  ];
}
