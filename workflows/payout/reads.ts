import { dayMs, freshDecisionMs } from '../../src/domain/cadence.js';
import { mayHideAtService, provenFailed, type Attempt } from '../../src/domain/payout-attempts.js';
import type { ReadCause } from '../../src/domain/payment-record.js';
import { nextRescanAt, scansAreOver } from '../../src/domain/payout-scans.js';
import { whyUnread, type PaymentContext } from '../shared/context.js';
import { applyReading, applyScan } from './adoption.js';
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
  raiseWhenOverdue(payment);
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

function raiseWhenOverdue(payment: PayoutPayment): void {
  const { data, record, stage } = payment;
  const isMoving = stage === 'follow' || stage === 'find';
  if (!isMoving || payment.now() < (data.overdueFrom ?? Infinity)) return;
  data.overdueFrom = null;
  record.raise('overdue', `The payout is still ${record.status} after its deadline.`);
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
  return read;
}

/**
 * Looks at every attempt at the service, for a command that has to know: by identifier, and in the list where one may
 * hide, after a reset, or when `alsoScan` says so. `forCommand`: within seconds or not at all.
 */
export async function lookAtAll(
  ctx: PaymentContext,
  payment: PayoutPayment,
  alsoScan: boolean,
  forCommand = false,
): Promise<{ result: ReadResult; reason: string }> {
  const { attempts, data, record } = payment;
  let clear = true;
  let reason = '';
  let scanned = false;
  const missing: Attempt[] = [];
  const readNow = new Set<number>();
  const moving = new Set<number>();
  for (const attempt of [...attempts.all]) {
    if (attempt.serviceId === null) continue;
    const read = await ctx.readPayout(attempt.serviceId, `read attempt ${String(attempt.number)}`);
    if (read.kind !== 'read') {
      reason = whyUnread(read, 'payout');
      missing.push(attempt);
      continue;
    }
    if (record.noticesReset(read.reading.reset_run_id ?? null)) data.owesScan = true;
    if (data.owesScan) {
      // Nothing is concluded after a reset before all attempts were looked for.
      const found = await scan(ctx, payment, forCommand);
      if (found === undefined) return { result: 'unreadable', reason: listUnreadable };
      clear = found.clear && clear;
      for (const number of found.moving) moving.add(number);
      scanned = true;
    }
    const applied = applyReading(attempts, attempt, read.reading);
    clear = applied && clear;
    if (applied) readNow.add(attempt.number);
    if (!provenFailed(attempt)) moving.add(attempt.number);
  }
  // Movement that any of the readings shows outweighs a failure that another one shows.
  const isProven = () => clear && !attempts.all.some((each) => moving.has(each.number) && provenFailed(each));
  const outcome = (isMissing: boolean) => (isMissing ? 'unreadable' : isProven() ? 'clear' : 'unclear');
  // Where reads by identifier have never worked, the service may use another one there than in its list.
  const needsList = ({ decidedAt, wasRead }: Attempt) =>
    !wasRead && ctx.now() > decidedAt + payment.scaled(freshDecisionMs);
  if (scanned || (!alsoScan && !data.owesScan && !missing.some(needsList))) {
    payment.planRead();
    return { result: outcome(missing.length > 0), reason };
  }
  const found = await scan(ctx, payment, forCommand, readNow);
  if (found === undefined) return { result: 'unreadable', reason: listUnreadable };
  clear = found.clear && clear;
  for (const number of found.moving) moving.add(number);
  payment.planRead();
  const isMissing = missing.some(({ partnerCode, wasRead }) => wasRead || !found.codes.has(partnerCode));
  return { result: outcome(isMissing), reason };
}

const listUnreadable = "The service's list could not be read completely.";

/** Looks for all attempts in the service's list, and adopts what it holds; undefined when it could not be read. */
async function scan(
  ctx: PaymentContext,
  payment: PayoutPayment,
  forCommand: boolean,
  readNow?: ReadonlySet<number>,
): Promise<{ clear: boolean; codes: ReadonlySet<string | null>; moving: number[] } | undefined> {
  const { attempts, data, record } = payment;
  const target = { attempts_of: record.partnerCode, for_command: forCommand };
  const begunAt = ctx.now();
  const found = await ctx.scanPayouts(target, 'look for its attempts in the list');
  if (found === undefined) return undefined;
  const isVerifying = () => payment.stage === 'verify';
  const wasVerifying = isVerifying();
  const clear = applyScan(attempts, found, readNow);
  // An attempt that nothing was known of, and that can't be followed as it is listed, is looked for again.
  if (!wasVerifying && isVerifying())
    payment.markUnknown('It can not be followed as the list shows it.', ctx.now());
  data.scannedAt = ctx.now();
  data.scanBegunAt = begunAt;
  data.owesScan = false;
  const codes = new Set(found.map(({ partner_code: code }) => code));
  const moving = attempts.all.filter(({ partnerCode }) =>
    found.some(({ partner_code: code, status }) => code === partnerCode && status !== 'error'),
  );
  return { clear, codes, moving: moving.map(({ number }) => number) };
}
