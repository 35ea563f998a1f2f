// Plays every short sequence of a lifecycle without Temporal (docs/reliability.md):
//   npm run explore -- [--lifecycle payout] [--attempts 3] [--resets 1] [--changes 2] [--depth 14] [--states 1000000]
//   npm run explore -- --after 'start, answered' --after 'a cancel request'    goes on from there
//   npm run explore -- --control    plants the bugs that it alone has to find, one at a time, and fails when one is missed
//   npm run explore -- --control --bug 'part of its name'    plants any of them
import { cpuUsage } from 'node:process';
import { parseArgs } from 'node:util';
import { plantedBugs } from '../test/simulation/planted-bugs.mjs';
import { withModule } from './bundled.mjs';

const entry = 'test/exploration/main.ts';
const number = (value) => ({ type: 'string', default: String(value) });
const { values } = parseArgs({
  options: {
    lifecycle: { type: 'string', default: 'payout' },
    attempts: number(3),
    resets: number(1),
    changes: number(2),
    depth: number(14),
    states: number(1_000_000),
    after: { type: 'string', multiple: true, default: [] },
    control: { type: 'boolean' },
    bug: { type: 'string' },
  },
});
const { attempts, resets, changes, depth, states } = values;
const limits = Object.entries({ attempts, resets, changes, depth, states });
const bounds = {
  ...Object.fromEntries(limits.map(([name, value]) => [name, Number(value)])),
  after: values.after,
};

const counted = (what, count) => `${String(count)} ${what}${count === 1 ? '' : 's'}`;
const told = ({ why, path }) =>
  [why, ...path.map((move, index) => `  ${String(index + 1)}. ${move}`)].join('\n');

async function run(module) {
  const { explore } = await import(module);
  const found = await explore(values.lifecycle, bounds);
  const { system, user } = cpuUsage();
  const seconds = (system + user) / 1e6;
  for (const [moves, reached] of found.byDepth.entries())
    console.log(`after ${counted('move', moves)}: ${String(reached)} new states`);
  console.log(
    `${String(found.states)} states by ${String(found.moves)} transitions${found.isComplete ? '' : ', and there are more'}; ` +
      `${seconds.toFixed(1)} s of CPU, ${String(Math.round(found.states / seconds))} states a second of it`,
  );
  console.log(found.broken === undefined ? 'No violation.' : told(found.broken));
  process.exitCode = found.broken === undefined ? 0 : 1;
}

async function control() {
  const wanted = plantedBugs.filter(({ name, within }) =>
    values.bug === undefined ? within === 'exploration' : name.includes(values.bug),
  );
  let missed = 0;
  for (const [index, bug] of wanted.entries()) {
    const { broken, states } = await withModule(entry, bug, async (module) =>
      (await import(module)).explore(bug.kind, { ...bounds, after: [...bug.after, ...bounds.after] }),
    );
    if (broken === undefined) missed += 1;
    const outcome = broken === undefined ? 'not found' : `found by ${counted('move', broken.path.length)}`;
    console.log(`${String(index + 1)}. ${bug.name} (${bug.kind}): ${outcome}, ${String(states)} states`);
    if (broken !== undefined) console.log(told(broken));
  }
  console.log(`${String(wanted.length - missed)} of ${String(wanted.length)} planted bugs were found.`);
  process.exitCode = missed === 0 ? 0 : 1;
}

await (values.control ? control() : withModule(entry, undefined, run));
