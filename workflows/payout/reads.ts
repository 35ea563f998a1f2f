import type { PayoutReading } from '../../src/contract/outcomes.js';
import { dayMs, freshDecisionMs } from '../../src/domain/cadence.js';
import { mayHideAtService, provenFailed, type Attempt } from '../../src/domain/payout-attempts.js';
import type { ReadCause } from '../../src/domain/payment-record.js';
import { nextRescanAt, scansAreOver } from '../../src/domain/payout-scans.js';
import { whyUnread, type PaymentContext, type Scan } from '../shared/context.js';
import { applyReading, applyScan } from './adoption.js';
import type { Attempts } from './attempts.js';
import type { PayoutPayment } from './payment.js';

/** What reads of all attempts came to: `unclear` when some reading does not fit. */
export type ReadResult = 'clear' | 'unclear' | 'unreadable';

/**
 * Reads every attempt by its identifier. Those that are believed void, and those that no read finds, are looked for by
 * their codes in the service's list. Then plans the next read.
 */
export async function readAttempts(ctx: PaymentContext, payment: PayoutPayment): Promise<ReadResult> {
  const cause = payment.reads.begin();
  const { result } = await readAll(ctx, payment, scanIsDue(payment, cause), cause);
  noteWhenOverdue(payment);
  payment.conclude();
  payment.planRead();
  return result;
}

/** One scan for a latest attempt of unknown outcome; after the last one an operator is asked. */
export async function scanForLatest(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const { attempts, data, reads, start } = payment;
  const { reason, result } = await readAll(ctx, payment, true, reads.begin());
  // A scan that a hint brought before its time does not count.
  if (result !== 'unreadable' && ctx.hasPassed(payment.nextScanAt)) data.scan.done += 1;
  if (payment.stage !== 'verify') return payment.planRead();
  if (result === 'unreadable' && scansAreOver(data.scan, ctx.now(), start.scale)) {
    attempts.askOperator(`${reason} `);
  } else if (payment.nextScanAt === Infinity) {
    attempts.askOperator(
      attempts.latest.listed === true
        ? "The service's list holds it, but without what it takes to follow it."
        : "Scans of the service's list did not find it.",
    );
  } else {
    return reads.dueAt(Math.max(payment.nextScanAt, nextRescanAt(data.scan, ctx.now(), start.scale)));
  }
  payment.planRead();
}

/**
 * Attempts that are believed void are looked for by their codes on every hint, and daily; after a reset also those of
 * which nothing is known here, since the list may show them late.
 */
function scanIsDue(payment: PayoutPayment, cause: ReadCause): boolean {
  if (!payment.wasReset && !payment.attempts.all.some(mayHideAtService)) return false;
  const isHint = cause === 'postback' || cause === 'hint';
  const isDaily = payment.now() >= (payment.data.scannedAt ?? 0) + payment.scaled(dayMs * 0.9);
  return isHint || payment.stage === 'resolve' || isDaily;
}

function noteWhenOverdue(payment: PayoutPayment): void {
  const { data, record, stage } = payment;
  const isMoving = stage === 'follow' || stage === 'find';
  if (!isMoving) data.overdue = null;
  if (!isMoving || payment.now() < (data.overdueFrom ?? Infinity)) return;
  data.overdueFrom = null;
  data.overdue = `The payout is still ${record.status} after its deadline.`;
}

async function readAll(
  ctx: PaymentContext,
  payment: PayoutPayment,
  alsoScan: boolean,
  cause: ReadCause,
): Promise<{ result: ReadResult; reason: string }> {
  const { attempts, record } = payment;
  const read = await lookAtAll(ctx, payment, alsoScan);
  if (read.result === 'unreadable') record.couldNotBeRead(cause, read.reason);
  else record.wasRead(cause, attempts.latest.status);
  payment.conclude();
  return read;
}

/**
 * Looks at every attempt at the service: by identifier, and in the list where one may hide, after a reset, or when
 * `alsoScan` says so. Only then it draws conclusions, from all that was shown. `forCommand`: within seconds or not at all.
 */
export async function lookAtAll(
  ctx: PaymentContext,
  payment: PayoutPayment,
  alsoScan: boolean,
  forCommand = false,
): Promise<{ result: ReadResult; reason: string }> {
  const { attempts, data, record } = payment;
  const read: { attempt: Attempt; shown: PayoutReading }[] = [];
  const missing: Attempt[] = [];
  let reason = '';
  const known = attempts.all.flatMap((attempt) => {
    const { number, serviceId } = attempt;
    return serviceId === null ? [] : [{ attempt, serviceId, doing: `read attempt ${String(number)}` }];
  });
  for (const { attempt, read: answer } of await ctx.readPayouts(known)) {
    if (answer.kind === 'read') {
      read.push({ attempt, shown: answer.reading });
      if (record.noticesReset(answer.reading.reset_run_id ?? null)) data.owesScan = true;
    } else {
      reason = whyUnread(answer, 'payout');
      missing.push(attempt);
    }
  }
  const { owesScan } = data;
  // Where reads by identifier have never worked, the service may use another one there than in its list.
  const needsList = ({ decidedAt, wasRead }: Attempt) =>
    !wasRead && ctx.now() > decidedAt + payment.scaled(freshDecisionMs);
  const scans = alsoScan || owesScan || missing.some(needsList);
  const listed = scans ? await scan(ctx, payment, forCommand) : [];
  // Movement first: no failure is concluded before all that was shown is known, after a reset also of other attempts.
  const failures = read.filter(({ shown }) => shown.status === 'error');
  const moving = applyRead(
    attempts,
    read.filter((each) => !failures.includes(each)),
  );
  if (listed === undefined) {
    if (!owesScan) applyRead(attempts, failures);
    return { result: 'unreadable', reason: "The service's list could not be read completely." };
  }
  const isListClear = !scans || applyList(payment, listed, moving.readNow);
  const isListedMoving = ({ partnerCode }: Attempt) =>
    listed.some(({ partner_code: code, status }) => code === partnerCode && status !== 'error');
  // Movement that the list shows is news to a read that showed a failure.
  const failed = applyRead(
    attempts,
    failures.map(({ attempt, shown }) => ({
      attempt,
      shown: isListedMoving(attempt) ? { ...shown, status: attempt.status } : shown,
    })),
  );
  payment.planRead();
  const isInNeither = ({ partnerCode, wasRead }: Attempt) =>
    !scans || wasRead || !listed.some(({ partner_code: code }) => code === partnerCode);
  if (missing.some(isInNeither)) return { result: 'unreadable', reason };
  // Movement that any of the readings shows outweighs a failure that another one shows.
  const isMoving = (attempt: Attempt) => moving.readNow.has(attempt.number) || isListedMoving(attempt);
  const isProven = !attempts.all.some((each) => isMoving(each) && provenFailed(each));
  return { result: isProven && isListClear && moving.clear && failed.clear ? 'clear' : 'unclear', reason };
}

/** Applies what reads by identifier have shown: of which attempts it fits, and whether all of it does. */
function applyRead(attempts: Attempts, read: readonly { attempt: Attempt; shown: PayoutReading }[]) {
  const fitting = read.filter(({ attempt, shown }) => applyReading(attempts, attempt, shown));
  const readNow = new Set(fitting.map(({ attempt }) => attempt.number));
  return { clear: readNow.size === read.length, readNow };
}

/** Looks for all attempts in the service's list; undefined when it could not be read completely. */
async function scan(
  ctx: PaymentContext,
  { data, record }: PayoutPayment,
  forCommand: boolean,
): Promise<Scan> {
  const target = { attempts_of: record.partnerCode, for_command: forCommand };
  const begunAt = ctx.now();
  const found = await ctx.scanPayouts(target, 'look for its attempts in the list');
  if (found === undefined) return undefined;
  Object.assign(data, { scannedAt: ctx.now(), scanBegunAt: begunAt, owesScan: false });
  return found;
}

/** Adopts what the list holds; whether all of it is followed from now on, or proven failed. */
function applyList(
  payment: PayoutPayment,
  listed: readonly PayoutReading[],
  readNow: ReadonlySet<number>,
): boolean {
  const isVerifying = () => payment.stage === 'verify';
  const wasVerifying = isVerifying();
  const clear = applyScan(payment.attempts, listed, readNow);
  // An attempt that nothing was known of, and that can't be followed as it is listed, is looked for again.
  if (!wasVerifying && isVerifying())
    payment.markUnknown('It can not be followed as the list shows it.', payment.now());
  return clear;
}
