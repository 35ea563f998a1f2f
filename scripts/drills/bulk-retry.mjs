// Retries failed payouts of four causes by the thousand while worker, gateway, command line and Temporal are killed with
// SIGKILL, then compares the report with the sandbox's ledger. Usage: npm run drill:bulk-retry [-- --payouts 1000]
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { check, verify } from './bulk-retry-checks.mjs';
import { startFleet, withFleet } from './fleet.mjs';
import { attendToUnknownPayouts, startOperator } from './operator.mjs';

const { values } = parseArgs({ options: { payouts: { type: 'string', default: '1000' } } });
const total = Number(values.payouts);
const id = 'drill';
const longestMs = 5 * 60_000 + total * 600;
/** What the gateway answered last. */
let last = '';

/** What fails how, in ten payouts: the payee's key is a scenario of the sandbox. */
const kinds = [
  { kind: 'once', share: 6, pix: 'sandbox+error-once@example.com' },
  { kind: 'again', share: 1, pix: 'sandbox+error@example.com' },
  { kind: 'returned', share: 1, pix: 'sandbox+done-at-once@example.com' },
  { kind: 'refused', share: 1, pix: 'sandbox+422-always@example.com' },
  { kind: 'never-sent', share: 1, pix: 'maria@example.com' },
];
const tenKinds = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind));

const fleet = await startFleet('bulk-retry-drill', { storage: 'file' });
const giveUp = setTimeout(() => {
  console.error(`Not over after ${String(Math.round(longestMs / 60_000))} minutes. The last answer: ${last}`);
  console.error(fleet.outputs());
  void fleet.close().finally(() => process.exit(1));
}, longestMs);
await withFleet(fleet, drill);
clearTimeout(giveUp);

async function drill() {
  let worker = await fleet.worker();
  let gateway = await fleet.gateway();
  const payouts = Array.from({ length: total }, (_, index) => request(kindAt(index), index));
  const operator = startOperator(
    {
      fleet,
      ask: (...call) => fleet.http(...call).catch(() => undefined),
      resolved: (attempt, decision) => say(`resolved: ${attempt}, ${JSON.stringify(decision)}`),
    },
    attendToUnknownPayouts,
  );
  await startAll(payouts);
  await settled('done', 'error', 'rejected');
  for (const { partner_code: code, status } of fleet.sandbox.ledger().payouts)
    if (status === 'done') fleet.sandbox.setPayoutStatus(code, 'error');
  await settled('error', 'rejected');
  // On a busy machine a first attempt may have been given up before it reached the service: the ledger shows it.
  const failed = new Set(fleet.sandbox.ledger().payouts.map(({ partner_code: code }) => code));
  check(failed.size > total * 0.75, `the service has ${String(failed.size)} of ${String(total)} payouts`);
  say(`${String(total)} payouts have failed, of four causes; ${String(failed.size)} at the service`);

  const options = ['--canary', '10', '--per-second', '50', '--stop-at-failure-share', '0.9'];
  const cli = fleet.program(
    ...['payout', 'retry', '--all', '--id', id, '--reason', 'the bank is back', '--follow', ...options],
  );
  await until(({ status }) => status === 'canary');
  worker = await killed(worker, 'worker, in the canary', () => fleet.worker());
  await until(({ counts }) => counts.pending < counts.matched * 0.75);
  worker = await killed(worker, 'worker, in the middle', () => fleet.worker());
  await until(({ counts }) => counts.pending < counts.matched * 0.5);
  gateway = await killed(gateway, 'gateway', () => fleet.gateway());
  await killed(cli, 'command line', () => undefined);
  await until(({ counts }) => counts.pending < counts.matched * 0.4);
  await fleet.temporal.kill();
  say('killed: Temporal');
  await fleet.temporal.start();
  await until(({ counts }) => counts.pending < counts.matched * 0.25);
  worker = await killed(worker, 'worker, near the end', () => fleet.worker());
  await until(({ counts }) => counts.pending === 0);
  say('all are retried or refused; their outcomes come in');
  const state = await ended();
  await operator.stop();
  await verify({ fleet, state, payouts, failed, id });
  check(gateway.exitCode === null && worker.exitCode === null, 'gateway and worker are up');
  say(JSON.stringify(state.counts));
  say(`As it should be: of ${String(total)} failed payouts none was retried twice, and the report is exact.`);
}

function kindAt(index) {
  return tenKinds[index % tenKinds.length];
}

function request({ kind, pix }, index) {
  return {
    method: 'pix',
    partner_code: `${kind}-${String(index)}x`,
    value: 10 + (index % 90) / 100,
    pix,
    ...{ first_name: 'Maria', last_name: 'Silva', document: '52998224725' },
    ...(kind === 'never-sent' && { send_before: '2026-01-01T00:00:00Z' }),
  };
}

async function startAll(payouts) {
  for (let at = 0; at < payouts.length; at += 5_000) {
    const batch = {
      batch_id: `drill-${String(at)}b`,
      starts_per_second: 100,
      payouts: payouts.slice(at, at + 5_000),
    };
    const answer = await fleet.http('POST', '/v1/payout-batches', batch);
    check(answer.status === 202, `the batch is taken: ${String(answer.status)}`);
  }
}

/** Waits until search shows each payout with one of these statuses. */
async function settled(...statuses) {
  const among = statuses.map((status) => `'${status}'`).join(', ');
  while ((await fleet.count(`PaymentKind = 'payout' AND PaymentStatus IN (${among})`)) < total)
    await sleep(500);
}

async function killed(program, what, again) {
  program.kill('SIGKILL');
  await program.exited;
  say(`killed: ${what}`);
  return again();
}

/** Asks over HTTP; while a process is being replaced, it asks again. */
async function until(holds) {
  for (;;) {
    const answer = await fleet.http('GET', `/v1/bulk-retries/${id}`).catch(() => undefined);
    last = answer?.text ?? 'none';
    if (answer?.status === 200) {
      if (holds(answer.body)) return answer.body;
      check(
        answer.body.attention === null,
        `it has stopped by itself: ${String(answer.body.attention_detail)}`,
      );
      check(!answer.body.closed, 'it was over too soon');
    }
    await sleep(200);
  }
}

async function ended() {
  for (;;) {
    const { body } = await fleet.http('GET', `/v1/bulk-retries/${id}`);
    if (body.closed) return body;
    await sleep(1_000);
  }
}

function say(text) {
  console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
}
