import { parseArgs } from 'node:util';
import { cases } from './cases/index.mjs';

const usage = `Usage: npm run bench [-- options]
  --cases <names>      some of: ${cases.map(({ name }) => name).join(', ')}
  --payments <n>       in each case and round, default 100
  --postbacks <n>      forged and duplicate ones in each round, default 10000
  --rounds <n>         default 3
  --open <n,…>         how many open payouts, for the case open-payouts; default 1000
  --server <name=value>  a setting of Temporal's server, such as matching.useNewMatcher=false
  --fleet <n>          so many workers and gateways, default 1
  --postgres <shards>  the newest Temporal on PostgreSQL with so many history shards, in place of the embedded one
  --json <file>        writes all figures
  --svg <file>         draws the CPU of each case`;

export function readOptions() {
  const text = (value) => ({ type: 'string', default: value });
  const { values } = parseArgs({
    options: {
      ...{ cases: text(''), payments: text('100'), postbacks: text('10000'), rounds: text('3') },
      ...{
        open: text('1000'),
        server: { type: 'string', multiple: true },
        fleet: text('1'),
        postgres: { type: 'string' },
        json: { type: 'string' },
        svg: { type: 'string' },
      },
      help: { type: 'boolean' },
    },
  });
  if (values.help) {
    console.log(usage);
    process.exit(0);
  }
  return {
    chosen: chosenCases(values.cases),
    payments: positive(values.payments),
    postbacks: positive(values.postbacks),
    rounds: positive(values.rounds),
    open: values.open.split(',').map(positive),
    server: Object.fromEntries((values.server ?? []).map((setting) => setting.split('='))),
    fleet: positive(values.fleet),
    postgresShards: values.postgres === undefined ? undefined : positive(values.postgres),
    json: values.json,
    svg: values.svg,
  };
}

function chosenCases(names) {
  if (names === '') return cases.filter(({ isOnDemand }) => isOnDemand !== true);
  return names.split(',').map((name) => {
    const found = cases.find((each) => each.name === name);
    if (found === undefined) throw new Error(`There is no case ${name}.\n${usage}`);
    return found;
  });
}

function positive(text) {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`${text} is no positive number.\n${usage}`);
}
