// Payments under load while each link between the processes is slow, cut, sliced or flaps; then it is healed. The
// sandbox's ledger then shows whether anything was paid twice or lost. Before that, a bad time of the link to the payments
// service, after which the outcomes that stay unknown are counted. Usage:
// npm run drill:network -- [--bad-seconds 60] [--fault-seconds 10] [--seed 1]
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { startFleet, withFleet } from './fleet.mjs';
import { paidTwice } from './ledger-checks.mjs';
import { startLoad } from './load.mjs';
import { Oms } from './oms.mjs';
import { startOperator } from './operator.mjs';
import { differences, unfollowedOrders, untilSettled } from './settlement.mjs';
import { seeded } from './simulation.mjs';
import { faults, startProxies } from './toxiproxy.mjs';

const { values } = parseArgs({
  options: {
    'bad-seconds': { type: 'string', default: '60' },
    'fault-seconds': { type: 'string', default: '10' },
    seed: { type: 'string', default: '1' },
  },
});
const [badMs, faultMs] = [Number(values['bad-seconds']) * 1_000, Number(values['fault-seconds']) * 1_000];
/** A call that is cut off is given up after 75 seconds at most; scans follow in the scaled time of the payments. */
const verifiedWithinMs = 120_000;
const settledWithinMs = 240_000;

const fleet = await startFleet('network-drill');
const { host: service } = new URL(fleet.sandbox.url);
const { host: gateway } = new URL(fleet.url);
const links = {
  'worker-service': service,
  'worker-temporal': fleet.temporal.address,
  'gateway-temporal': fleet.temporal.address,
  'service-gateway': gateway,
};
const proxies = await startProxies(links, console.log);
await withFleet({ ...fleet, close: () => Promise.all([fleet.close(), proxies.stop()]) }, drill);

async function drill() {
  const oms = new Oms(fleet, seeded(Number(values.seed)));
  await fleet.worker({
    PAYMENTS_BASE_URL: `http://${proxies['worker-service'].address}`,
    TEMPORAL_ADDRESS: proxies['worker-temporal'].address,
    PUBLIC_URL: `http://${proxies['service-gateway'].address}`,
  });
  await fleet.gateway({ TEMPORAL_ADDRESS: proxies['gateway-temporal'].address });
  await oms.untilOnePaid();

  if (badMs > 0) await badTime(oms);
  const operator = startOperator(oms);
  const load = startLoad(oms, [100, 200]);
  for (const name of faultMs > 0 ? Object.keys(links) : []) {
    for (const [kind, fault] of Object.entries(faults)) await suffer(proxies[name], kind, fault, faultMs);
    say(`${name} is healed`);
  }
  await load.stop();
  for (const payment of oms.payments.values())
    if (payment.answeredAt === undefined) await oms.repeat(payment);
  const unsettled = await untilSettled(oms, settledWithinMs);
  await operator.stop();
  report(oms, [
    ...unsettled.map(({ lastRead, path }) => `${path} has no end: ${String(lastRead)}`),
    ...(unsettled.length === 0 ? await differences(oms) : []),
    ...unfollowedOrders(oms).map(({ code }) => `order ${code} is at the service, and nothing follows it`),
  ]);
}

/** The link to the service has every fault in turn, no operator is there, and what stays unknown is counted. */
async function badTime(oms) {
  const byFault = new Map();
  for (const [kind, fault] of Object.entries(faults)) {
    const before = new Set(oms.payments.keys());
    const load = startLoad(oms, [100, 200]);
    await suffer(proxies['worker-service'], kind, fault, badMs / Object.keys(faults).length);
    await load.stop();
    byFault.set(
      kind,
      [...oms.payments.values()].filter(({ path }) => !before.has(path)),
    );
  }
  say('the link to the service is healed');
  await untilKnown(oms);
  const rows = [];
  for (const [kind, payments] of byFault) rows.push({ kind, ...(await outcomesOf(oms, payments)) });
  reportUnknown(rows);
}

/** Until every payment has a status of its own, or it is known that its outcome is unknown. */
async function untilKnown(oms) {
  const deadline = Date.now() + verifiedWithinMs;
  for (const payment of oms.payments.values()) {
    for (;;) {
      const state = await stateOf(oms, payment.path);
      const isKnown = !['submitting', 'requesting'].includes(state.status) || state.attention !== null;
      if (isKnown || Date.now() > deadline) break;
      await sleep(500);
    }
  }
}

/** Asks until it is answered: the machine is busy. */
async function stateOf(oms, path) {
  for (;;) {
    const { body, status } = (await oms.ask('GET', path)) ?? {};
    if (status === 200 && body?.timeline !== undefined) return body;
    if (status === 404) return { timeline: [] };
    await sleep(500);
  }
}

async function outcomesOf(oms, payments) {
  const states = [];
  for (const { path } of payments) states.push(await stateOf(oms, path));
  const count = (holds) => states.filter(holds).length;
  return {
    started: payments.length,
    // What a call has left open, whether or not a scan has found it since.
    lost: count(({ timeline }) => timeline.some(({ what }) => what.includes('gave no answer'))),
    unknown: count(({ attention }) => ['submission_unknown', 'refund_unconfirmed'].includes(attention)),
  };
}

async function suffer(proxy, kind, fault, forMs) {
  const end = await fault.begin(proxy);
  await sleep(forMs);
  await end();
  say(`${proxy.name} has had ${kind} for ${String(forMs / 1_000)} s`);
}

function reportUnknown(rows) {
  const head = ['the link to the service has', 'started', 'calls without an answer', 'unknown at last'];
  const table = new Table({ head, style: { head: [] } });
  for (const { kind, started, lost, unknown } of rows) table.push([kind, started, lost, unknown]);
  const sum = (name) => rows.reduce((total, row) => total + row[name], 0);
  const share = `${((100 * sum('unknown')) / Math.max(1, sum('started'))).toFixed(1)} %`;
  table.push(['all', sum('started'), sum('lost'), `${String(sum('unknown'))} (${share})`]);
  console.log(table.toString());
}

function report(oms, others) {
  const twice = paidTwice(fleet.sandbox.ledger());
  say(
    `seed ${values.seed}: ${String(oms.payments.size)} payments, ${String(twice.length)} paid, charged or refunded ` +
      `twice, ${String(others.length)} lost or without an end`,
  );
  for (const violation of [...twice, ...others]) console.log(`VIOLATION: ${violation}`);
  process.exitCode = twice.length + others.length === 0 ? 0 : 1;
}

function say(what) {
  console.log(`${new Date().toISOString().slice(11, 19)} ${what}`);
}
