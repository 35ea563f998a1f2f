// Simulates payments without Temporal (docs/reliability.md):
//   npm run simulate -- [--payments 100000] [--seed 1] [--kind payout] [--jobs 2]
//   npm run simulate -- --plan '<the plan that a failure has printed>'
//   npm run simulate -- --control    plants bugs, one at a time, and expects that each is found
import { mkdir, rm } from 'node:fs/promises';
import { cpuUsage } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { rolldown } from 'rolldown';
import { plantedBugs } from '../test/simulation/planted-bugs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    plan: { type: 'string' },
    control: { type: 'boolean' },
    bug: { type: 'string' },
  },
});
/** So many payments share a seed; the next part has the next one. */
const paymentsOfAPart = 20_000;

/** The simulation as one module; with a bug, its one place in the source is replaced first. Answers its address. */
async function bundled(name, bug) {
  let planted = 0;
  const plant = {
    name: 'plant-bug',
    transform(code, id) {
      if (bug === undefined || !id.endsWith(bug.file)) return null;
      if (code.split(bug.find).length !== 2)
        throw new Error(`"${bug.name}": its place is not found once in ${id}.`);
      planted += 1;
      return code.replace(bug.find, () => bug.replace);
    },
  };
  const bundle = await rolldown({
    input: `${root}test/simulation/main.ts`,
    platform: 'node',
    external: [/^node:/, /^(?![./]|file:)/],
    plugins: [plant],
  });
  const dir = `${root}node_modules/.cache/simulation`;
  await mkdir(dir, { recursive: true });
  const file = `${dir}/${name}-${String(process.pid)}.mjs`;
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  if (bug !== undefined && planted !== 1) throw new Error(`"${bug.name}": no such file: ${bug.file}`);
  return pathToFileURL(file);
}

/** Uses the simulation, and removes its module afterwards. */
async function withSimulation(name, bug, use) {
  const module = await bundled(name, bug);
  try {
    return await use(module.href);
  } finally {
    await rm(module);
  }
}

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
  const wanted = [...plantedBugs.entries()].filter(([, { name }]) => name.includes(values.bug ?? ''));
  const missed = [];
  const lookForBug = async ([index, bug]) => {
    const part = { kind: bug.kind, payments: bug.within, seed: Number(values.seed) };
    const name = `${String(index + 1)}. ${bug.name} (${bug.kind})`;
    await withSimulation(`bug-${String(index)}`, bug, (module) =>
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

const job = values.control ? control : values.plan === undefined ? run : repeatPlan;
await withSimulation('simulation', undefined, job);
