import { readFileSync } from 'node:fs';
import { median, spread } from './runner.mjs';

/** What tests check, too, where it does not depend on the machine. */
export const budgets = JSON.parse(readFileSync(new URL('./budgets.json', import.meta.url), 'utf8'));

const perCore = ({ cpuMs }) => 1_000 / cpuMs.gateway;
const cpuOf = ({ cpuMs: { server, worker, gateway } }) => server + worker + gateway;

/** Of two cases, round by round. */
const ratios = {
  'payout, of the empty workflow': ['payout', 'empty', ({ perSecond }) => perSecond],
  'payout, of bare': ['payout', 'bare', ({ perSecond }) => perSecond],
  'payout, of bare with two upserts': ['payout', 'bare-upserts', ({ perSecond }) => perSecond],
  'payout by gateway with two postbacks, of the same by client': [
    'gateway-2',
    'payout-direct',
    ({ perSecond }) => perSecond,
  ],
  'card order by gateway with two postbacks, of bare': ['order', 'bare-order', ({ perSecond }) => perSecond],
  'hosted checkout by gateway with two postbacks, of bare': [
    'checkout',
    'bare-checkout',
    ({ perSecond }) => perSecond,
  ],
  '3D Secure order by gateway with two postbacks, of bare': ['3ds', 'bare-3ds', ({ perSecond }) => perSecond],
  'account validation by client, of bare': ['validation', 'bare-validation', ({ perSecond }) => perSecond],
  'refund by gateway, of bare': ['refund', 'bare-refund', ({ perSecond }) => perSecond],
  'refund by client, of bare': ['refund-client', 'bare-refund', ({ perSecond }) => perSecond],
  'start to service id, median, of bare': ['start', 'start-bare', ({ p50Ms }) => p50Ms],
  'postback to status, p99, of bare': ['postback', 'postback-bare', ({ p99Ms }) => p99Ms],
  // Without a target: what they say does not change with what else the machine does.
  'payout, of naive polling': ['payout', 'naive', ({ perSecond }) => perSecond],
  'CPU of a payout, of the empty workflow': ['payout', 'empty', cpuOf],
  'CPU of a payout, of bare': ['payout', 'bare', cpuOf],
  'CPU of the server for a payout, of the empty workflow': ['payout', 'empty', ({ cpuMs }) => cpuMs.server],
};

const figures = {
  'forged postbacks a second on one core': ['forged', perCore],
  'duplicate postbacks a second on one core': ['duplicates', perCore],
  "worker's start to its first poll, seconds": ['worker-start', ({ startSeconds }) => startSeconds],
};

/** Each target that the cases of this run tell of: its spread over the rounds, and whether the median holds. */
export function compare(results) {
  const roundsOf = (name) => results.get(name)?.rounds;
  const compared = Object.entries(ratios).flatMap(([name, [ours, theirs, value]]) => {
    const [of, base] = [roundsOf(ours), roundsOf(theirs)];
    if (of === undefined || base === undefined) return [];
    return [line(name, spread(of.map((round, at) => value(round) / value(base[at]))), budgets.ratios[name])];
  });
  const counted = Object.entries(figures).flatMap(([name, [of, value]]) => {
    const rounds = roundsOf(of);
    return rounds === undefined ? [] : [line(name, spread(rounds.map(value)), budgets.figures[name])];
  });
  return [...compared, ...counted, ...openPayouts(results), ...histories(results)];
}

function openPayouts(results) {
  const rows = results.get('open-payouts')?.rounds[0]?.openPayouts ?? [];
  const figures = [
    ['worker at 10,000 open payouts, MB', 10_000, ({ workerMb }) => workerMb.now],
    ['list reads a round for 1,000 open payouts', 1_000, ({ listReads }) => listReads],
  ];
  return figures.flatMap(([name, count, value]) =>
    rows
      .filter(({ open }) => open === count)
      .map((row) => line(name, spread([value(row)]), budgets.figures[name])),
  );
}

function histories(results) {
  const counted = results.get('histories')?.rounds[0]?.histories ?? {};
  return Object.entries(counted).flatMap(([kind, costs]) =>
    ['events', 'tasks', 'bytes', 'actions', 'reads', 'transitions'].map((unit) => {
      const atMost = { ...budgets.histories[kind], ...budgets.historyTargetsMissed[kind] }[unit];
      const values = spread(costs.map((cost) => cost[unit]));
      return line(`${kind}: ${unit}`, values, atMost === undefined ? undefined : { atMost });
    }),
  );
}

function line(name, values, target) {
  const { atLeast = -Infinity, atMost = Infinity } = target ?? {};
  const verdict =
    target === undefined ? null : values.median >= atLeast && values.median <= atMost ? 'holds' : 'missed';
  return { name, ...values, target: target ?? null, verdict };
}

/** Median cost of the workflows that were looked at. */
export function medianCost(costs) {
  if (costs === undefined || costs.length === 0) return null;
  return Object.fromEntries(
    ['events', 'tasks', 'actions', 'transitions', 'bytes'].map((unit) => [
      unit,
      median(costs.map((cost) => cost[unit])),
    ]),
  );
}
