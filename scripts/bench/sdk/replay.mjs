// Repeats the history of a payment again and again in the thread of this process, and prints as JSON how long that took
// it, and where the time went by the profiler. Usage: node replay.mjs <history file> <workflow id> <times>
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import proto from '@temporalio/proto';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { paymentsDataConverter } from '../../../dist/src/client.js';

const [, , file, workflowId, times] = process.argv;
const history = proto.temporal.api.history.v1.History.decode(readFileSync(file));
const codePath = fileURLToPath(new URL('../../../dist/workflow-bundle.js', import.meta.url));
Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
const options = {
  workflowBundle: { codePath },
  dataConverter: paymentsDataConverter(process.env.PAYLOAD_KEYS),
};

await replayed(Math.ceil(times / 4));
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: 200 });
await session.post('Profiler.start');
await replayed(Number(times));
const { profile } = await session.post('Profiler.stop');
console.log(JSON.stringify(shares(profile)));
process.exit(0);

async function replayed(count) {
  const histories = Array.from({ length: count }, () => ({ workflowId, history }));
  for await (const { error } of Worker.runReplayHistories(options, histories)) if (error) throw error;
}

/** Milliseconds that the thread was busy, and of those the ones under some functions, in all they call. */
function shares({ nodes, samples, timeDeltas }) {
  const parentOf = new Map();
  for (const { children = [], id } of nodes) for (const child of children) parentOf.set(child, id);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const namesOf = (id) => {
    const names = [];
    for (let at = id; at !== undefined; at = parentOf.get(at)) {
      const { functionName, url } = byId.get(at).callFrame;
      names.push(`${functionName} ${url}`);
    }
    return names;
  };
  const known = new Map();
  const sums = { busyMs: 0, hookMs: 0, contextMs: 0 };
  for (const [at, id] of samples.entries()) {
    const names = known.get(id) ?? namesOf(id);
    known.set(id, names);
    if (names[0].startsWith('(idle)') || names[0].startsWith('(program)')) continue;
    const ms = timeDeltas[at] / 1_000;
    sums.busyMs += ms;
    // Those of Node that call the SDK's hooks, or our patched ones.
    if (names.some((name) => /^(init|settled|initAll|settledAll) /.test(name))) sums.hookMs += ms;
    // What runInContext takes itself, beside the code that it runs.
    if (/^runInContext /.test(names[0])) sums.contextMs += ms;
  }
  return sums;
}
