// Workers are replaced one after the other while payouts are started: the next one comes up, and SIGTERM or SIGKILL stops
// the one before. Counts the calls that were given to a worker that has not answered them, by whether they had the mark,
// and asks the ledger whether they were sent.
// Usage: npm run drill:restarts -- [--restarts 20 --per-second 20 --seed 1 --signal SIGTERM|SIGKILL --answer-ms 0 --newest]
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
    signal: { type: 'string', default: 'SIGTERM' },
    'answer-ms': { type: 'string', default: '0' },
    newest: { type: 'boolean', default: false },
  },
});
const random = seededRandom(Number(values.seed));
const poll_scale = 0.02;
const startsUpMs = 3_000;
const isDecided = ({ attention, status }) => status === 'done' || attention !== null;

const fleet = await startFleet('restarts-drill', { storage: values.newest ? 'newest' : 'memory' });
await withFleet(fleet, drill);

async function drill() {
  const delay_ms = Number(values['answer-ms']);
  const endpoint = 'POST /v1/payout/pix';
  if (delay_ms > 0) fleet.sandbox.fault({ endpoint, times: 1_000_000, fault: { effect: 'done', delay_ms } });
  const starts = [];
  let isOver = false;
  let worker = await fleet.worker();
  const starting = (async () => {
    while (!isOver) {
      const code = `restarts-${String(starts.length + 1)}x`;
      starts.push(
        fleet.payments.startPayout({ method: 'pix', ...pixPayout(code), poll_scale }).then(() => code),
      );
      await sleep(1_000 / Number(values['per-second']));
    }
  })();
  for (let restart = 0; restart < Number(values.restarts); restart += 1) {
    const next = await fleet.worker();
    await sleep(startsUpMs + random() * 1_000);
    worker.kill(values.signal);
    await worker.exited;
    worker = next;
  }
  isOver = true;
  await starting;
  const codes = await Promise.all(starts);
  const { answers: states } = await inFlight(codes.length, 20, (at) =>
    fleet.payoutOnce(codes[at], isDecided),
  );
  const { answers: losses } = await inFlight(codes.length, 20, (at) => lossOf(codes[at]));
  report(codes, states, losses);
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
    `${values.restarts} workers stopped, ${String(states.length)} payouts: ${String(unmarked.length)} calls were lost ` +
      `before the mark, ${String(marked.length)} after it, ` +
      `${String(marked.filter((code) => !sent.has(code)).length)} of which had not been sent; ` +
      `${String(unknown.length)} need an operator`,
  );
  for (const violation of violations) console.log(`VIOLATION: ${violation}`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
