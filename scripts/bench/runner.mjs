import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { costOf } from './history-cost.mjs';

const sampled = 3;
/** What is left of the case before, such as its last polls. */
const settleMs = 300;
const longestMs = 120_000;
const warmUp = { payments: 20, postbacks: 2_000 };

/**
 * Runs the cases in turn, round after round, each round beginning with another case: what else the machine does falls
 * on all of them alike. The first round warms up and does not count.
 *
 * @returns by the case's name the measures of each round, and the costs of some workflows
 */
export async function runRounds(bench, { chosen, rounds, ...sizes }, onRound = () => undefined) {
  const repeated = chosen.filter(({ isOnce }) => isOnce !== true);
  for (const each of repeated) await measure(bench, each, { ...sizes, ...warmUp });
  onRound(0);
  const results = new Map(chosen.map(({ name, title }) => [name, { name, title, rounds: [] }]));
  for (let round = 0; round < rounds; round += 1) {
    const shift = Math.floor((round * repeated.length) / rounds);
    for (const each of [...repeated.slice(shift), ...repeated.slice(0, shift)]) {
      const measured = await measure(bench, each, sizes);
      const result = results.get(each.name);
      result.rounds[round] = measured.figures;
      result.costs ??= await costsOf(bench, measured.workflowIds);
    }
    onRound(round + 1, results);
  }
  for (const each of chosen.filter(({ isOnce }) => isOnce)) {
    const { figures } = await measure(bench, each, { ...sizes, rounds });
    results.get(each.name).rounds.push(figures);
  }
  return results;
}

async function measure(bench, each, sizes) {
  let timer;
  const tooLong = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('It has taken too long.')), each.longestMs ?? longestMs);
  });
  try {
    return await Promise.race([measureOnce(bench, each, sizes), tooLong]);
  } catch (error) {
    throw new Error(`The case ${each.name} has failed.`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function measureOnce(bench, each, sizes) {
  const prepared = await each.prepare?.(bench, sizes);
  await sleep(settleMs);
  const cpuBefore = bench.processes.cpuMs();
  const startedMs = performance.now();
  const { count, workflowIds = [], latenciesMs, ...more } = await each.run(bench, sizes, prepared);
  const seconds = (performance.now() - startedMs) / 1_000;
  const cpuAfter = bench.processes.cpuMs();
  await each.finish?.(bench);
  const used = (part) =>
    Object.keys(cpuAfter)
      .filter((name) => part.test(name))
      .reduce((sum, name) => sum + cpuAfter[name] - (cpuBefore[name] ?? 0), 0);
  const figures = {
    ...more,
    ...(count !== undefined && {
      perSecond: count / seconds,
      cpuMs: {
        server: used(/^server$/) / count,
        worker: used(/^(worker|bare)/) / count,
        gateway: used(/^gateway/) / count,
      },
    }),
    ...(latenciesMs !== undefined && {
      p50Ms: percentile(latenciesMs, 0.5),
      p99Ms: percentile(latenciesMs, 0.99),
    }),
  };
  return { figures, workflowIds };
}

async function costsOf(bench, workflowIds) {
  const costs = [];
  for (const workflowId of workflowIds.slice(-sampled)) costs.push(await costOf(bench.client, workflowId));
  return costs;
}

function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Median and range over the rounds. */
export function spread(values) {
  return { median: median(values), low: Math.min(...values), high: Math.max(...values) };
}
