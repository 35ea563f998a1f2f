import { freshDecisionMs } from '../../src/domain/cadence.js';
import type { Attempt } from '../../src/domain/payout-attempts.js';
import type { PaymentContext } from '../shared/context.js';
import type { PayoutPayment } from './payment.js';

/** What reads of all attempts came to: `unclear` when some reading does not fit. */
export type ReadResult = 'clear' | 'unclear' | 'unreadable';

/**
 * Reads every attempt by its identifier. Those that are believed void, and those that no read finds, are looked for by
 * their codes in the service's list. Then plans the next read.
 */
export async function readAttempts(ctx: PaymentContext, payment: PayoutPayment): Promise<ReadResult> {
  const { attempts, record, reads, start } = payment;
  const cause = reads.begin();
  const { result, reason } = await lookAtAll(ctx, payment, payment.scanIsDue(cause));
  if (result === 'unreadable') record.couldNotBeRead(cause, reason, start.scale);
  else record.wasRead(cause, attempts.latest.status);
  payment.raiseWhenOverdue();
  payment.planRead();
  return result;
}

/**
 * Looks at every attempt at the service, for a command that has to know: by identifier, and in the list where one may
 * hide or `alsoScan` says so.
 */
export async function lookAtAll(
  ctx: PaymentContext,
  payment: PayoutPayment,
  alsoScan: boolean,
): Promise<{ result: ReadResult; reason: string }> {
  const { attempts, record, start } = payment;
  let clear = true;
  let reason = '';
  const missing: Attempt[] = [];
  for (const attempt of attempts.all) {
    if (attempt.serviceId === null) continue;
    const read = await ctx.readPayout(attempt.serviceId, `read attempt ${String(attempt.number)}`);
    if (read.kind === 'read') {
      clear = attempts.applyReading(attempt, read.reading) && clear;
      continue;
    }
    reason = read.kind === 'not_found' ? 'The service knows no payout by its identifier.' : read.reason;
    missing.push(attempt);
  }
  // Where reads by identifier have never worked, the service may use another one there than in its list.
  const needsList = ({ decidedAt, wasRead }: Attempt) =>
    !wasRead && ctx.now() > decidedAt + freshDecisionMs * start.scale;
  if (!alsoScan && !missing.some(needsList)) {
    return { result: missing.length > 0 ? 'unreadable' : clear ? 'clear' : 'unclear', reason };
  }
  const found = await ctx.scanPayouts(
    { attempts_of: record.partnerCode },
    'look for its attempts in the list',
  );
  if (found === undefined)
    return { result: 'unreadable', reason: "The service's list could not be read completely." };
  clear = attempts.applyScan(found) && clear;
  payment.scanCompleted(ctx.now());
  const isListed = (code: string) => found.some(({ partner_code: listed }) => listed === code);
  const stillMissing = missing.some(({ partnerCode, wasRead }) => wasRead || !isListed(partnerCode));
  return { result: stillMissing ? 'unreadable' : clear ? 'clear' : 'unclear', reason };
}

/** One scan for a latest attempt of unknown outcome; after the last one an operator is asked. */
export async function scanForLatest(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const { attempts, record, reads, start } = payment;
  const cause = reads.begin();
  const { result, reason } = await lookAtAll(ctx, payment, true);
  if (result === 'unreadable') {
    record.couldNotBeRead(cause, reason, start.scale);
    if (payment.stage === 'verify' && payment.scansAreOver) attempts.askOperator(`${reason} `);
  } else {
    record.wasRead(cause, attempts.latest.status);
    payment.scanned();
  }
  if (payment.stage === 'verify' && payment.nextScanAt === Infinity) {
    attempts.askOperator(
      attempts.latest.listed === true
        ? "The service's list holds it, but without what it takes to follow it."
        : "Scans of the service's list did not find it.",
    );
  }
  if (payment.stage === 'verify')
    reads.dueAt(Math.max(payment.nextScanAt, ctx.now() + scanRetryMs * start.scale));
  else payment.planRead();
}

/** After a scan that was not complete, the next one comes no sooner than this. */
const scanRetryMs = 5_000;
