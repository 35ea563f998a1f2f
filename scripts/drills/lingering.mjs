// A worker is killed with SIGKILL while its call lingers that has created a payout, again and again, one payout at a time.
// What Temporal had been told of the answer must be known afterwards, and nothing may be sent twice. No read and no list
// shows these payouts until all kills are done, so that nothing else can tell what became of them.
// Usage: npm run drill:lingering -- [--kills 100 --seed 1]
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { inFlight } from '../in-flight.mjs';
import { seededRandom } from '../seeded-random.mjs';
import { startFleet, withFleet } from './fleet.mjs';
import { paidTwice } from './ledger-checks.mjs';
import { pixPayout } from './requests.mjs';

const options = { kills: { type: 'string', default: '100' }, seed: { type: 'string', default: '1' } };
const { values } = parseArgs({ options });
const random = seededRandom(Number(values.seed));
const poll_scale = 0.02;
/** A call lingers for so long after its answer; a kill comes within it, or a moment later. */
const longestKillMs = 1_600;
const longestMs = 300_000;

const fleet = await startFleet('lingering-drill');
await withFleet(fleet, drill);

async function drill() {
  const unreadable = { effect: 'none', status: 503, body: '' };
  fleet.sandbox.fault({ endpoint: 'GET /v1/payout/{id}', times: 1_000_000, fault: unreadable });
  const codes = Array.from({ length: Number(values.kills) }, (_, at) => `lingering-${String(at + 1)}x`);
  const told = [];
  for (const code of codes) if (await killedWith(code)) told.push(code);
  fleet.sandbox.clearFaults();
  await fleet.worker();
  const { answers: states } = await inFlight(codes.length, 20, (at) => untilDecided(codes[at]));
  report(codes, told, states);
}

/** Whether Temporal had been told of the answer when the worker was killed. */
async function killedWith(code) {
  const worker = await fleet.worker();
  const request = pixPayout(code, { tags: ['stuck', 'unlisted', 'postback-silent'] });
  await fleet.payments.startPayout({ method: 'pix', ...request, poll_scale });
  await fleet.sandbox.until(({ payouts }) => payouts.some(({ partner_code: sent }) => sent === code));
  await sleep(random() * longestKillMs);
  await worker.kill9();
  const { raw } = await fleet.client.workflow.getHandle(`payout-${code}`).describe();
  const [activity] = raw.pendingActivities ?? [];
  // One that has ended had told of the answer by that.
  return activity === undefined || activity.heartbeatDetails != null;
}

/** Temporal notices a lost worker when the time of a creating call is over; scans follow where nothing is known. */
async function untilDecided(code) {
  const deadline = Date.now() + longestMs;
  for (;;) {
    const state = await fleet.payments
      .payout(code)
      .state()
      .catch(() => undefined);
    if (state !== undefined && state.status !== 'submitting') return state;
    if (Date.now() > deadline) throw new Error(`${code} is not decided: ${JSON.stringify(state)}`);
    await sleep(500);
  }
}

function report(codes, told, states) {
  const statusOf = new Map(states.map(({ partner_code: code, status }) => [code, status]));
  const known = codes.filter((code) => statusOf.get(code) === 'claimed');
  const needless = told.filter((code) => !known.includes(code));
  const ledger = fleet.sandbox.ledger();
  const violations = [
    ...paidTwice(ledger),
    ...needless.map((code) => `${code} is ${statusOf.get(code)}, though Temporal knew the answer`),
    ...(ledger.payouts.length === codes.length ? [] : ['The service has other payouts than those']),
  ];
  console.log(
    `${String(codes.length)} kills, seed ${values.seed}: of ${String(told.length)} payouts Temporal knew the answer, ` +
      `${String(known.length)} are known, ${String(codes.length - known.length)} are of unknown outcome`,
  );
  for (const violation of violations) console.log(`VIOLATION: ${violation}`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
