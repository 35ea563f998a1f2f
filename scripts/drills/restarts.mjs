// Workers are replaced one after the other while payouts are started: the next one comes up, and SIGTERM stops the one
// before. Counts the calls that were given to a worker that did not make them: their outcome is unknown to us.
// Usage: npm run drill:restarts -- [--restarts 20 --per-second 20 --seed 1 --newest]
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
    newest: { type: 'boolean', default: false },
  },
});
const random = seededRandom(Number(values.seed));
const poll_scale = 0.02;
const startsUpMs = 3_000;
const longestMs = 300_000;

const fleet = await startFleet('restarts-drill', { storage: values.newest ? 'newest' : 'memory' });
await withFleet(fleet, drill);

async function drill() {
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
    worker.kill('SIGTERM');
    await worker.exited;
    worker = next;
  }
  isOver = true;
  await starting;
  const codes = await Promise.all(starts);
  const { answers: states } = await inFlight(codes.length, 20, (at) => untilDecided(codes[at]));
  report(states);
}

async function untilDecided(code) {
  const deadline = Date.now() + longestMs;
  for (;;) {
    const state = await fleet.payments
      .payout(code)
      .state()
      .catch(() => undefined);
    if (state?.status === 'done' || (state?.attention ?? null) !== null) return state;
    if (Date.now() > deadline) throw new Error(`${code} is not decided: ${JSON.stringify(state)}`);
    await sleep(500);
  }
}

function report(states) {
  const lost = states.filter(({ timeline }) =>
    timeline.some(({ what }) => what.startsWith('Whether the service')),
  );
  const unknown = states.filter(({ attention }) => attention === 'submission_unknown');
  const violations = paidTwice(fleet.sandbox.ledger());
  console.log(
    `${values.restarts} workers stopped, ${String(states.length)} payouts: ${String(lost.length)} calls were lost, ` +
      `${String(unknown.length)} need an operator`,
  );
  for (const violation of violations) console.log(`VIOLATION: ${violation}`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
