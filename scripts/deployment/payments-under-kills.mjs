import { setTimeout as sleep } from 'node:timers/promises';
import { httpOf } from '../drills/http.mjs';
import { paidTwice } from '../drills/ledger-checks.mjs';
import { startLoad } from '../drills/load.mjs';
import { Oms } from '../drills/oms.mjs';
import { startOperator } from '../drills/operator.mjs';
import { differences, untilSettled } from '../drills/settlement.mjs';
import { seeded } from '../drills/simulation.mjs';

/** In this order; the sandbox stays, for it is the judge and has no disk. */
const victims = [
  'worker',
  'gateway',
  'gateway-for-sandbox',
  'temporal',
  'postgresql',
  'prometheus',
  'web-ui',
];
const everyMs = [250, 500];
const betweenKillsMs = 2_500;
/** A payout that was being sent when its worker died is looked for from 75 seconds on. */
const settledWithinMs = 600_000;

/**
 * Payouts, orders and refunds through nginx while one process after the other is killed and restarted by its policy.
 *
 * @returns what is not as it should be when all have come to their end.
 */
export async function paymentsUnderKills({ stack, gatewayUrl, sandboxUrl, apiKey, report }) {
  const ledger = async (code) => {
    const query = code === undefined ? '' : `?partner_code=${code}`;
    return (await fetch(`${sandboxUrl}/sandbox/ledger${query}`)).json();
  };
  const fleet = { http: httpOf(gatewayUrl, apiKey), sandbox: { ledger }, outputs: () => stack.tails() };
  const oms = new Oms(fleet, seeded(1));
  const operator = startOperator(oms);
  const load = startLoad(oms, everyMs);
  for (const victim of victims) {
    await sleep(betweenKillsMs);
    await killAndAwait(stack, victim, report);
  }
  await sleep(betweenKillsMs);
  await load.stop();
  await untilAnswered(oms);
  const unsettled = await untilSettled(oms, settledWithinMs);
  await operator.stop();
  const twice = paidTwice(await ledger());
  const { payments } = oms;
  report(
    `${String(payments.size)} payments, ${String(unsettled.length)} without an end, ${String(twice.length)} twice`,
  );
  return [
    ...twice,
    ...unsettled.map(({ path, lastRead }) => `${path} has no end: ${String(lastRead)}`),
    ...(unsettled.length === 0 ? await differences(oms) : []),
  ];
}

/** Kills the first process of a service, and waits until the restart policy has brought it back. */
export async function killAndAwait(stack, name, report) {
  const [container] = stack.containers(name);
  const { pid, starts } = container;
  const killedAt = Date.now();
  container.kill();
  while (container.pid === pid || container.starts === starts) await sleep(50);
  await stack.untilUp(name);
  const seconds = ((Date.now() - killedAt) / 1000).toFixed(1);
  report(`killed ${container.name} (pid ${String(pid)}); it was back after ${seconds} s`);
}

/** An OMS repeats what it got no answer to. */
async function untilAnswered(oms) {
  for (;;) {
    const open = [...oms.payments.values()].filter(({ answeredAt }) => answeredAt === undefined);
    const answers = await Promise.all(open.map((payment) => oms.repeat(payment)));
    if (answers.every((answer) => answer !== undefined && answer.status < 500)) return;
    await sleep(500);
  }
}
