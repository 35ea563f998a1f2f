// Simulates payments without Temporal (docs/reliability.md):
//   npm run simulate -- [--payments 100000] [--seed 1] [--kind payout] [--jobs 2]
//   npm run simulate -- --plan '<the plan that a failure has printed>'
//   npm run simulate -- --against <commit> [--payments 2400]    compares what users see, plan by plan, with an earlier commit
//   npm run simulate -- --control    plants bugs, one at a time, and expects that each is found
import { execFile } from 'node:child_process';
import { cpuUsage } from 'node:process';
import { parseArgs, promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { plantedBugs } from '../test/simulation/planted-bugs.mjs';
import { withModule } from './bundled.mjs';
import { withCheckout } from './checkout.mjs';

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    plan: { type: 'string' },
    against: { type: 'string' },
    control: { type: 'boolean' },
    bug: { type: 'string' },
  },
});
/** So many payments share a seed; the next part has the next one. */
const paymentsOfAPart = 20_000;

const entry = 'test/simulation/main.ts';

/** Has so many threads work on all parts; `done` gets each outcome as it comes. */
async function inThreads(module, parts, threads, done) {
  const waiting = [...parts];
  const thread = async () => {
    const worker = new Worker(new URL('simulation-worker.mjs', import.meta.url), { workerData: { module } });
    const failed = new Promise((_, reject) => worker.once('error', reject));
    for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
      const answer = new Promise((resolve) => worker.once('message', resolve));
      worker.postMessage(part);
      await done(part, await Promise.race([answer, failed]));
    }
    await worker.terminate();
  };
  await Promise.all(Array.from({ length: threads }, thread));
}

/** One line that repeats a failure. */
const command = (plan) => `npm run simulate -- --plan '${JSON.stringify(plan)}'`;

async function run(module) {
  const { kinds } = await import(module);
  const wanted = values.kind === undefined ? kinds : [values.kind];
  const ofEach = Math.ceil(Number(values.payments) / wanted.length);
  const parts = wanted.flatMap((kind) =>
    Array.from({ length: Math.ceil(ofEach / paymentsOfAPart) }, (_, index) => ({
      kind,
      payments: Math.min(paymentsOfAPart, ofEach - index * paymentsOfAPart),
      seed: Number(values.seed) + index,
    })),
  );
  let [payments, steps, failed] = [0, 0, 0];
  await inThreads(module, parts, Number(values.jobs), ({ kind, seed }, outcome) => {
    payments += outcome.payments;
    steps += outcome.steps;
    console.log(
      `${kind}, seed ${String(seed)}: ${String(outcome.payments)} payments, ${String(outcome.steps)} steps`,
    );
    if (outcome.broken === undefined) return;
    failed += 1;
    console.log(`  ${outcome.broken.why}\n  ${command(outcome.broken.plan)}`);
  });
  const { system, user } = cpuUsage();
  const seconds = (user + system) / 1e6;
  console.log(
    `${String(payments)} payments: ${failed === 0 ? 'no violation' : `${String(failed)} violations`}; ` +
      `${String(Math.round(seconds))} s of CPU, ${String(Math.round(payments / seconds))} payments and ` +
      `${String(Math.round(steps / seconds))} steps a second of it`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
}

/** What breaks the code without the bug as well shows nothing of the bug. */
async function control(unplanted) {
  const { repeat } = await import(unplanted);
  const wanted = [...plantedBugs.entries()].filter(
    ([, { name, within }]) => typeof within !== 'string' && name.includes(values.bug ?? ''),
  );
  const missed = [];
  const lookForBug = async ([index, bug]) => {
    const name = `${String(index + 1)}. ${bug.name} (${bug.kind})`;
    if (typeof bug.within === 'object') {
      const failing = await failingWith(bug);
      if (failing === undefined) missed.push(name);
      console.log(`${name}: ${failing === undefined ? 'MISSED' : `found by "${failing}"`}`);
      return;
    }
    const part = { kind: bug.kind, payments: bug.within, seed: Number(values.seed) };
    await withModule(entry, bug, (module) =>
      inThreads(module, [part], 1, async (_, { broken }) => {
        const isOfBug = broken !== undefined && (await repeat(broken.plan)).why === undefined;
        if (!isOfBug) missed.push(name);
        const found = isOfBug ? `found after ${String(broken.after)} payments: ${broken.why}` : 'MISSED';
        console.log(`${name}: ${found.slice(0, 130)}`);
      }),
    );
  };
  const runQueued = async () => {
    for (let next = wanted.shift(); next !== undefined; next = wanted.shift()) await lookForBug(next);
  };
  const count = wanted.length;
  await Promise.all(Array.from({ length: Number(values.jobs) }, runQueued));
  console.log(`${String(count - missed.length)} of ${String(count)} planted bugs were found.`);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

/** The first test that fails with this bug; undefined when all pass. */
async function failingWith({ name, within }) {
  const config = ['--config', 'vitest.planted-bug.config.ts', '--reporter', 'json'];
  const options = { env: { ...process.env, PLANTED_BUG: name }, maxBuffer: 1e8 };
  const report = await promisify(execFile)('npx', ['vitest', 'run', ...config, within.test], options).then(
    () => undefined,
    ({ stdout }) => JSON.parse(stdout.slice(stdout.indexOf('{'))),
  );
  const tests = report?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? [];
  return tests.find(({ status }) => status === 'failed')?.title;
}

async function repeatPlan(module) {
  const { repeat } = await import(module);
  const { why, simulation } = await repeat(JSON.parse(values.plan));
  console.log(JSON.stringify(simulation.run.living.payment.view(), null, 1));
  for (const { at, code, record } of simulation.service.sent) {
    const history = record?.history.map((change) => `${change.at} ${change.status}`) ?? ['no effect'];
    console.log(`sent ${code} at ${new Date(at).toISOString()}: ${history.join(', ')}`);
  }
  console.log(why ?? 'Every invariant holds.');
  process.exitCode = why === undefined ? 0 : 1;
}

/** Each plan is lived by the code of both commits. */
async function compare() {
  const tracer = 'test/simulation/trace.ts';
  await withCheckout(values.against, tracer, (dir) =>
    withModule(tracer, undefined, (ours) =>
      withModule(tracer, undefined, (theirs) => compareBy(ours, theirs), dir),
    ),
  );
}

async function compareBy(ours, theirs) {
  const [now, before] = [await import(ours), await import(theirs)];
  const { kinds } = now;
  let [lived, differ] = [0, 0];
  for (const kind of values.kind === undefined ? kinds : [values.kind]) {
    const each = Math.ceil(Number(values.payments) / kinds.length);
    for (const plan of now.plans(kind, each, Number(values.seed))) {
      const [seen, was] = [await now.trace(plan), await before.trace(plan)];
      lived += 1;
      const at = seen.findIndex((state, index) => state !== was[index]);
      if (at < 0 && seen.length === was.length) continue;
      differ += 1;
      console.log(`${kind}: ${command(plan)}\n  was ${was.at(at) ?? 'over'}\n  is  ${seen.at(at) ?? 'over'}`);
    }
  }
  console.log(
    `${String(lived)} payments, of which ${String(differ)} are seen otherwise than at ${values.against}.`,
  );
  process.exitCode = differ === 0 ? 0 : 1;
}

const job = values.control ? control : values.plan === undefined ? run : repeatPlan;
await (values.against === undefined ? withModule(entry, undefined, job) : compare());
