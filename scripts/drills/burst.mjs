// Starts thousands of single payouts at once beside a pace of CREATING_CALLS_PER_SECOND, on a Temporal without priorities,
// and compares when and in which order the service got them with the pace and with the order of their starts.
// Usage: npm run drill:burst [-- --payouts 4000 --per-second 10 --workers 1 --newest]
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { inFlight } from '../in-flight.mjs';
import { startFleet, withFleet } from './fleet.mjs';
import { paidTwice } from './ledger-checks.mjs';
import { pixPayout } from './requests.mjs';

const { values } = parseArgs({
  options: {
    payouts: { type: 'string', default: '4000' },
    'per-second': { type: 'string', default: '10' },
    workers: { type: 'string', default: '1' },
    newest: { type: 'boolean', default: false },
  },
});
const total = Number(values.payouts);
const perSecond = Number(values['per-second']);
const idealMs = (total / perSecond) * 1_000;
const mostShare = 1.2;
/**
 * How long after its place a payout may be sent: while payouts are still being started, Temporal hands out a new one before
 * those that wait.
 */
const latePlaceMs = (mostShare - 1) * idealMs;
/** Those sent so long before their place are counted. */
const earlyPlaceMs = 0.1 * idealMs;

const fleet = await startFleet('burst-drill', {
  storage: values.newest ? 'newest' : 'memory',
  dynamicConfig: { 'matching.useNewMatcher': values.newest ? false : 'false' },
});
await withFleet(fleet, drill);

async function drill() {
  const settings = { CREATING_CALLS_PER_SECOND: values['per-second'], POLL_SCALE: '1' };
  for (let worker = 0; worker < Number(values.workers); worker += 1) await fleet.worker(settings);
  await fleet.gateway({ POLL_SCALE: '1' });
  const codes = Array.from({ length: total }, (_, index) => `burst-${String(index)}x`);
  const begunAt = Date.now();
  await inFlight(total, 50, async (index) => {
    const { status } = await fleet.http('POST', '/v1/payouts/pix', pixPayout(codes[index]));
    if (status !== 202) throw new Error(`A payout was not accepted: ${String(status)}`);
  });
  console.log(`${String(total)} payouts are started after ${seconds(Date.now() - begunAt)} s`);
  await progress(() => fleet.sandbox.ledger().payouts.length, begunAt);
  report(fleet.sandbox.ledger(), codes, begunAt);
}

async function progress(sent, begunAt) {
  for (let checks = 1; sent() < total && Date.now() < begunAt + 3 * idealMs; checks += 1) {
    await sleep(1_000);
    if (checks % 30 === 0) console.log(`after ${seconds(Date.now() - begunAt)} s: ${String(sent())} sent`);
  }
}

function report(ledger, codes, begunAt) {
  const sentAt = new Map(
    ledger.payouts.map((payout) => [payout.partner_code, Date.parse(payout.created_at)]),
  );
  const tookMs = Math.max(...sentAt.values()) - begunAt;
  const late = codes.map(
    (code, index) => (sentAt.get(code) ?? Infinity) - begunAt - (index / perSecond) * 1_000,
  );
  const latestMs = Math.max(...late);
  const early = late.filter((each) => each < -earlyPlaceMs).length;
  console.log(
    `${String(sentAt.size)} of ${String(total)} sent in ${seconds(tookMs)} s at ${values['per-second']} a second: ` +
      `${(tookMs / idealMs).toFixed(2)} of ${seconds(idealMs)} s; none later than ${seconds(latestMs)} s after its place in ` +
      `the order of starts, ${String(early)} more than ${seconds(earlyPlaceMs)} s before it`,
  );
  const violations = [
    ...paidTwice(ledger),
    ...(sentAt.size === total ? [] : ['Not all were sent']),
    ...(tookMs <= mostShare * idealMs ? [] : ['It took longer than the pace needs']),
    ...(latestMs <= latePlaceMs ? [] : ['They were not sent in their order']),
  ];
  for (const violation of violations) console.error(violation);
  process.exitCode = violations.length === 0 ? 0 : 1;
}

function seconds(ms) {
  return (ms / 1_000).toFixed(1);
}
