// A worker is killed with SIGKILL while its call lingers that has created a payout, again and again, one payout at a time.
// What Temporal had recorded of the answer must be known afterwards, and nothing may be sent twice. No read and no list
// shows these payouts until all kills are done, so that nothing else can tell what became of them.
// Usage: npm run drill:lingering -- [--kills 100 --seed 1]
import { Buffer } from 'node:buffer';
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
/** A call lingers for 1.5 seconds after its answer. A kill that comes later does not count as one while it lingers. */
const longestKillMs = 1_600;

const fleet = await startFleet('lingering-drill');
await withFleet(fleet, drill);

async function drill() {
  const unreadable = { effect: 'none', status: 503, body: '' };
  fleet.sandbox.fault({ endpoint: 'GET /v1/payout/{id}', times: 1_000_000, fault: unreadable });
  const payouts = [];
  while (payouts.filter(({ lingered }) => lingered).length < Number(values.kills)) {
    const code = `lingering-${String(payouts.length + 1)}x`;
    payouts.push({ code, ...(await killedWith(code)) });
  }
  fleet.sandbox.clearFaults();
  await fleet.worker();
  const { answers: states } = await inFlight(payouts.length, 20, (at) =>
    fleet.payoutOnce(payouts[at].code, ({ status }) => status !== 'submitting'),
  );
  report(payouts.map((payout, at) => ({ ...payout, status: states[at].status })));
}

/** Whether its call was still under way when the worker was killed, and Temporal had recorded the answer. */
async function killedWith(code) {
  const worker = await fleet.worker();
  const request = pixPayout(code, { tags: ['stuck', 'unlisted', 'postback-silent'] });
  await fleet.payments.startPayout({ method: 'pix', ...request, poll_scale });
  await fleet.sandbox.until(({ payouts }) => payouts.some(({ partner_code: sent }) => sent === code));
  await sleep(random() * longestKillMs);
  await worker.kill9();
  const { raw } = await fleet.client.workflow.getHandle(`payout-${code}`).describe();
  const [activity] = raw.pendingActivities ?? [];
  // An activity that has ended has recorded it.
  return {
    lingered: activity !== undefined,
    recorded: activity === undefined || (await isRecorded(activity)),
  };
}

/** Whether the latest heartbeat has the answer: the first one has the mark. */
async function isRecorded({ heartbeatDetails }) {
  const [codec] = fleet.replaying.dataConverter.payloadCodecs;
  const details = await codec.decode(heartbeatDetails?.payloads ?? []);
  return details.some(({ data }) => Buffer.from(data).toString().includes('"answered"'));
}

function report(payouts) {
  const isKnown = ({ status }) => status === 'claimed';
  const lingered = payouts.filter((payout) => payout.lingered);
  const ledger = fleet.sandbox.ledger();
  const violations = [
    ...paidTwice(ledger),
    ...payouts
      .filter((payout) => payout.recorded && !isKnown(payout))
      .map(({ code, status }) => `${code} is ${status}, though Temporal knew the answer`),
    ...(ledger.payouts.length === payouts.length ? [] : ['The service has other payouts than those']),
  ];
  const count = (of, which) => String(of.filter(which).length);
  console.log(
    `${String(payouts.length)} kills, seed ${values.seed}, ${String(lingered.length)} while the call was under way; ` +
      `of those Temporal knew the answer of ${count(lingered, ({ recorded }) => recorded)}, ` +
      `${count(lingered, isKnown)} are known, ${count(lingered, (payout) => !isKnown(payout))} are of unknown outcome`,
  );
  for (const violation of violations) console.log(`VIOLATION: ${violation}`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}
