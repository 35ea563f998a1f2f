import Table from 'cli-table3';
import { compare, medianCost } from '../targets.mjs';
import { spread } from '../runner.mjs';

/** A number with as many digits as say something. */
function short(value) {
  if (value >= 100) return String(Math.round(value));
  return String(Number(value.toPrecision(value >= 10 ? 3 : 2)));
}

const range = ({ median, low, high }) =>
  low === high ? short(median) : `${short(median)} (${short(low)}–${short(high)})`;

export function printReport(results) {
  printCases(results);
  printOpenPayouts(results);
  printComparison(compare(results));
}

function printCases(results) {
  const heads = ['case', 'a second', 'CPU ms: server', 'worker', 'gateway', 'p50 ms', 'p99 ms'];
  const table = new Table({
    head: [...heads, 'events', 'tasks', 'actions', 'writes', 'bytes'],
    style: { head: [], border: [] },
  });
  const rates = [...results.values()].filter(({ rounds }) => rounds[0]?.perSecond !== undefined);
  if (rates.length === 0) return;
  for (const { title, rounds, costs } of rates) {
    const of = (value) => (value(rounds[0]) === undefined ? '' : range(spread(rounds.map(value))));
    const cost = medianCost(costs);
    table.push([
      title,
      of(({ perSecond }) => perSecond),
      of(({ cpuMs }) => cpuMs.server),
      of(({ cpuMs }) => cpuMs.worker),
      of(({ cpuMs }) => cpuMs.gateway),
      of(({ p50Ms }) => p50Ms),
      of(({ p99Ms }) => p99Ms),
      ...(cost === null ? ['', '', '', '', ''] : Object.values(cost).map(short)),
    ]);
  }
  console.log(table.toString());
}

function printOpenPayouts(results) {
  const rows = results.get('open-payouts')?.rounds[0]?.openPayouts;
  if (rows === undefined) return;
  const table = new Table({
    head: [
      ...['open payouts', 'worker MB', 'at most', 'server MB', 'CPU ms a minute: worker', 'server'],
      'list reads a round',
    ],
    style: { head: [], border: [] },
  });
  for (const { open, workerMb, serverMb, cpuMsAMinute, listReads = '' } of rows)
    table.push([
      open,
      ...[workerMb.now, workerMb.peak, serverMb.now, cpuMsAMinute.worker, cpuMsAMinute.server].map(short),
      listReads,
    ]);
  console.log(table.toString());
}

function printComparison(lines) {
  if (lines.length === 0) return;
  const table = new Table({ head: ['', 'median (range)', 'target', ''], style: { head: [], border: [] } });
  for (const { name, target, verdict, ...values } of lines)
    table.push([name, range(values), targetText(target), verdict ?? '']);
  console.log(table.toString());
}

function targetText(target) {
  if (target === null) return '';
  return target.atLeast === undefined
    ? `at most ${String(target.atMost)}`
    : `at least ${String(target.atLeast)}`;
}
