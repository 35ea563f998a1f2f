// Workers are replaced one after the other while payouts are started: the next one comes up, and the one before is stopped,
// killed, or frozen for two minutes; or all processes are killed at once, Temporal with them. Counts the calls that were
// given to a worker that has not answered them, by whether they had the mark, and reads in the ledger whether they were sent.
// Usage: npm run drill:restarts -- [--restarts 20 --per-second 20 --seed 1 --how stop|kill|freeze|all --answer-ms 0 --newest]
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { inFlight } from '../in-flight.mjs';
import { seededRandom } from '../seeded-random.mjs';
import { startFleet, withFleet } from './fleet.mjs';
import { paidTwice } from './ledger-checks.mjs';
import { pixPayout } from './requests.mjs';

const { values } = parseArgs({
  options: {
    restarts: { type: 'string', default: '20' },
    'per-second': { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    how: { type: 'string', default: 'stop' },
    'answer-ms': { type: 'string', default: '0' },
    newest: { type: 'boolean', default: false },
  },
});
const random = seededRandom(Number(values.seed));
const poll_scale = 0.02;
const startsUpMs = 3_000;
const frozenMs = 120_000;
/** How long a worker that continues has for what it was about to do. */
const continuesMs = 15_000;
const isDecided = ({ attention, status }) => status === 'done' || attention !== null;

/** How one worker is replaced by the next; returns the one that runs then. */
const replaced = {
  stop: async (worker, next) => {
    worker.kill('SIGTERM');
    await worker.exited;
    return next;
  },
  kill: async (worker, next) => {
    await worker.kill9();
    return next;
  },
  freeze: async (worker, next, later) => {
    worker.kill('SIGSTOP');
    const continued = async () => {
      await sleep(frozenMs);
      worker.kill('SIGCONT');
      await sleep(continuesMs);
    };
    later.push(continued());
    return next;
  },
  all: async (worker) => {
    await Promise.all([worker.kill9(), fleet.temporal.kill()]);
    await fleet.temporal.start();
    return fleet.worker();
  },
};

const storage = values.newest ? 'newest' : values.how === 'all' ? 'file' : 'memory';
const fleet = await startFleet('restarts-drill', { storage });
await withFleet(fleet, drill);

async function drill() {
  const delay_ms = Number(values['answer-ms']);
  const endpoint = 'POST /v1/payout/pix';
  if (delay_ms > 0) fleet.sandbox.fault({ endpoint, times: 1_000_000, fault: { effect: 'done', delay_ms } });
  const starts = [];
  let isOver = false;
  const starting = (async () => {
    while (!isOver) {
      starts.push(started(`restarts-${String(starts.length + 1)}x`));
      await sleep(1_000 / Number(values['per-second']));
    }
  })();
  const later = [];
  let worker = await fleet.worker();
  for (let restart = 0; restart < Number(values.restarts); restart += 1) {
    const next = values.how === 'all' ? undefined : await fleet.worker();
    await sleep(startsUpMs + random() * 1_000);
    worker = await replaced[values.how](worker, next, later);
  }
  isOver = true;
  await starting;
  const codes = await Promise.all(starts);
  const { answers: states } = await inFlight(codes.length, 20, (at) =>
    fleet.payoutOnce(codes[at], isDecided),
  );
  await Promise.all(later);
  const { answers: losses } = await inFlight(codes.length, 20, (at) => lossOf(codes[at]));
  report(codes, states, losses);
}

/** Starts a payout; tries again while Temporal is down. */
async function started(code) {
  for (;;) {
    const payout = { method: 'pix', ...pixPayout(code), poll_scale };
    if (await fleet.payments.startPayout(payout).catch(() => undefined)) return code;
    await sleep(500);
  }
}

/** Whether Temporal has waited in vain for the answer of a call that it gave to a worker, and whether that had the mark. */
async function lossOf(code) {
  const { events } = await fleet.client.workflow.getHandle(`payout-${code}`).fetchHistory();
  const lost = (events ?? []).flatMap(({ activityTaskTimedOutEventAttributes: timedOut }) =>
    timedOut == null ? [] : [timedOut.failure.timeoutFailureInfo.lastHeartbeatDetails != null],
  );
  return { isLost: lost.length > 0, isMarked: lost.includes(true) };
}

function report(codes, states, losses) {
  const ledger = fleet.sandbox.ledger();
  const sent = new Set(ledger.payouts.map(({ partner_code: code }) => code));
  const marked = codes.filter((_, at) => losses[at].isMarked);
  const unmarked = codes.filter((_, at) => losses[at].isLost && !losses[at].isMarked);
  const unknown = states.filter(({ attention }) => attention === 'submission_unknown');
  const violations = [
    ...paidTwice(ledger),
    ...unknown
      .filter(({ partner_code: code }) => unmarked.includes(code))
      .map(({ partner_code: code }) => `${code} is of unknown outcome, though no call of it had the mark`),
  ];
  console.log(
    `${values.restarts} times ${values.how}, ${String(states.length)} payouts: ${String(unmarked.length)} calls were lost ` +
      `before the mark, ${String(marked.length)} after it, ` +
      `${String(marked.filter((code) => !sent.has(code)).length)} of which had not been sent; ` +
      `${String(unknown.length)} need an operator`,
  );
  for (const violation of violations) console.log(`VIOLATION: ${violation}`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
