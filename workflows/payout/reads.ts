import type { PayoutReading } from '../../src/contract/outcomes.js';
import { dayMs, freshDecisionMs, hourMs } from '../../src/domain/cadence.js';
import { isSettled, mayHideAtService, shownFrom, type Attempt } from '../../src/domain/payout-attempts.js';
import { isDoubtful } from '../../src/domain/payout-proofs.js';
import { lookedAt, type Look, type ReadResult } from '../../src/domain/payout-readings.js';
import { nextRescanAt, scansAreOver } from '../../src/domain/payout-scans.js';
import { atDeadline, identifierReleased, operatorAsked } from '../../src/domain/payout.js';
import { whyShared, type ReadCause, type SharedIdentifier } from '../../src/domain/payment-record.js';
import { isSameIdentifier } from '../../src/domain/service-ids.js';
import { whyUnread, type PaymentContext, type Scan } from '../shared/context.js';
import type { PayoutPayment } from './payment.js';

/** How much later the list is scanned again when it does not show yet which payout an identifier belongs to. */
const checkAgainMs = 5 * 60_000;

/**
 * Reads every attempt by its identifier. Those that are believed void, and those that no read finds, are looked for by
 * their codes in the service's list. Then plans the next read.
 */
export async function readAttempts(ctx: PaymentContext, payment: PayoutPayment): Promise<ReadResult> {
  const cause = payment.reads.begin();
  const { contested } = payment.record;
  if (contested !== undefined && !(await checkOwner(ctx, payment, contested, cause))) return 'unreadable';
  if (payment.stage === 'verify') return 'unclear';
  const { result } = await readAll(ctx, payment, scanIsDue(payment, cause), cause);
  const { record, stage } = payment;
  const isMoving = (stage === 'follow' || stage === 'find') && !isSettled(payment.attempts);
  payment.apply(atDeadline(payment.data, { isMoving, now: ctx.now(), status: record.status }));
  payment.planRead();
  return result;
}

/**
 * Another payout has the identifier as well: this one loses it if the list shows it under another code. False when the
 * list could not be read: until then reads of the identifier do not count.
 */
async function checkOwner(
  ctx: PaymentContext,
  payment: PayoutPayment,
  shared: SharedIdentifier,
  cause: ReadCause,
): Promise<boolean> {
  const { latest, record } = payment;
  const listed = await scan(ctx, payment, { shared: shared.serviceId });
  if (listed === undefined) {
    record.couldNotBeRead(cause, "The service's list could not be read completely.");
    payment.conclude();
    payment.planRead();
    return false;
  }
  const codes = listed.flatMap(({ partner_code: code, service_id: id }) =>
    isSameIdentifier(id, shared.serviceId) && code !== null ? [code] : [],
  );
  // The list may show it later.
  const isOver = ctx.now() >= shared.since + payment.scaled(hourMs);
  const belongsToOther = codes.length > 0 && !codes.includes(latest.partnerCode);
  if (belongsToOther && isSameIdentifier(latest.serviceId, shared.serviceId)) {
    record.set({ shared: undefined });
    payment.apply(identifierReleased(payment.data, whyShared(shared), ctx.now()));
  } else if (codes.length > 0 || isOver) record.set({ shared: { ...shared, isExamined: true } });
  else payment.reads.dueAt(ctx.now() + payment.scaled(checkAgainMs));
  return true;
}

/** One scan for a latest attempt of unknown outcome; after the last one an operator is asked. */
export async function scanForLatest(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const { reads, start } = payment;
  const { reason, result } = await readAll(ctx, payment, true, reads.begin());
  // A scan that a hint brought before its time does not count.
  const { from, done } = payment.data.scan;
  const counts = result !== 'unreadable' && ctx.now() >= payment.nextScanAt;
  const scan = { from, done: counts ? done + 1 : done };
  payment.set({ scan });
  if (payment.stage !== 'verify') return payment.planRead();
  if (result === 'unreadable' && scansAreOver(scan, ctx.now(), start.scale)) {
    payment.apply(operatorAsked(payment.data, `${reason} `));
  } else if (payment.nextScanAt === Infinity) {
    const why =
      payment.latest.listed === true
        ? "The service's list holds it, but without what it takes to follow it."
        : "Scans of the service's list did not find it.";
    payment.apply(operatorAsked(payment.data, why));
  } else {
    return reads.dueAt(Math.max(payment.nextScanAt, nextRescanAt(scan, ctx.now(), start.scale)));
  }
  payment.planRead();
}

/**
 * Attempts that are believed void are looked for by their codes on every hint, daily, and again where the last scan came
 * too soon for the list to show them; after a reset also those of which nothing is known here.
 */
function scanIsDue(payment: PayoutPayment, cause: ReadCause): boolean {
  if (!payment.wasReset && !payment.attempts.some(mayHideAtService)) return false;
  const isHint = cause === 'postback' || cause === 'hint';
  const begunAt = payment.data.scanBegunAt ?? 0;
  const isDaily = payment.now() >= begunAt + payment.scaled(dayMs * 0.9);
  const shown = shownFrom(payment.attempts, payment.start.scale);
  const cameTooSoon = begunAt < shown && payment.now() >= shown;
  return isHint || payment.stage === 'resolve' || isDaily || cameTooSoon;
}

async function readAll(
  ctx: PaymentContext,
  payment: PayoutPayment,
  alsoScan: boolean,
  cause: ReadCause,
): Promise<{ result: ReadResult; reason: string }> {
  const { record } = payment;
  const read = await lookAtAll(ctx, payment, { alsoScan });
  if (read.result === 'unreadable') record.couldNotBeRead(cause, read.reason);
  else record.wasRead(cause, payment.latest.status);
  payment.conclude();
  return read;
}

/**
 * What a look is for: to `follow` the payout; as a `proof` right before a send, or for a `command` of an operator, who waits
 * until its deadline at most. Of the latter two what was seen is recent when they end, however long the list is: `begunAt`
 * says how old it is.
 */
type Purpose = 'follow' | 'proof' | 'command';

/** What took longer is made again: of the list what has come since, and all reads by identifier. */
const recentMs = 20_000;

/**
 * Looks at every attempt at the service: by identifier, and in the list where one may hide, after a reset, or when
 * `alsoScan` says so. Only then it draws conclusions, from all that was shown. `begunAt`: how old what it saw is.
 */
export async function lookAtAll(
  ctx: PaymentContext,
  payment: PayoutPayment,
  { alsoScan, purpose = 'follow' }: { alsoScan: boolean; purpose?: Purpose },
): Promise<{ result: ReadResult; reason: string; begunAt: number; isScanned: boolean }> {
  const read = await readIdentifiers(ctx, payment);
  if (read.shown.some((each) => isDoubtful(payment.data, each))) payment.set({ owesScan: true });
  // Where reads by identifier have never worked, the service may use another one there than in its list.
  const needsList = ({ decidedAt, wasRead }: Attempt) =>
    !wasRead && ctx.now() > decidedAt + payment.scaled(freshDecisionMs);
  const begunAt = ctx.now();
  if (!alsoScan && !payment.data.owesScan && !read.missing.some(needsList))
    return { begunAt, isScanned: false, ...conclude(payment, read, null) };
  const isRefreshed = purpose !== 'follow';
  const scanned = await scanUpToDate(ctx, payment, { forCommand: purpose === 'command', isRefreshed });
  const isScanned = scanned.found !== undefined;
  const seen = { begunAt, isScanned, ...conclude(payment, read, scanned.found) };
  if (!isRefreshed || !isScanned || ctx.now() <= begunAt + recentMs) return seen;
  // Of an attempt that the list has shown alone, too.
  const again = await readIdentifiers(ctx, payment);
  const isLost = ({ number }: Attempt) => read.shown.some((each) => each.number === number);
  // What the list shows is older than what the first read of it has shown.
  if (again.missing.some(isLost)) return { ...seen, result: 'unreadable', reason: again.reason };
  return { begunAt: scanned.begunAt, isScanned, ...conclude(payment, again, scanned.found) };
}

type ReadIdentifiers = Awaited<ReturnType<typeof readIdentifiers>>;

function conclude(payment: PayoutPayment, read: ReadIdentifiers, listed: Scan | null) {
  const { partnerCode, rightCentavos } = payment.record;
  const missing = read.missing.map(({ number }) => number);
  const look = { read: read.shown, missing, listed, now: payment.now() };
  const { change, result } = lookedAt(payment.data, look, { partnerCode, rightCentavos });
  payment.apply(change);
  payment.planRead();
  const reason = listed === undefined ? "The service's list could not be read completely." : read.reason;
  return { result, reason };
}

/** Reads each attempt by its identifier. */
async function readIdentifiers(ctx: PaymentContext, payment: PayoutPayment) {
  const shown: Look['read'][number][] = [];
  const missing: Attempt[] = [];
  let reason = '';
  const known = payment.attempts.flatMap((attempt) => {
    const { number, serviceId } = attempt;
    return serviceId === null ? [] : [{ attempt, serviceId, doing: `read attempt ${String(number)}` }];
  });
  for (const { attempt, read: answer } of await ctx.readPayouts(known)) {
    if (answer.kind === 'read') {
      shown.push({ number: attempt.number, shown: answer.reading });
      if (payment.record.noticesReset(answer.reading.reset_run_id ?? null)) payment.set({ owesScan: true });
    } else {
      reason = whyUnread(answer, 'payout');
      missing.push(attempt);
    }
  }
  return { shown, missing, reason };
}

/** A scan; where it took so long that what it showed first may have changed, with what has come since. */
async function scanUpToDate(
  ctx: PaymentContext,
  payment: PayoutPayment,
  { forCommand, isRefreshed }: { forCommand: boolean; isRefreshed: boolean },
): Promise<{ found: Scan; begunAt: number }> {
  let begunAt = ctx.now();
  let found = await scan(ctx, payment, { forCommand });
  if (isRefreshed && found !== undefined && ctx.now() > begunAt + recentMs) {
    const since = begunAt;
    begunAt = ctx.now();
    const newer = await scan(ctx, payment, { forCommand, since });
    found = newer && [...newer, ...found.filter((each) => !newer.some((one) => isSameRecord(one, each)))];
  }
  if (found !== undefined) payment.set({ scanBegunAt: begunAt, owesScan: false });
  return { begunAt, found };
}

/** Looks for all attempts in the service's list; undefined when it could not be read completely. */
function scan(
  ctx: PaymentContext,
  payment: PayoutPayment,
  { forCommand = false, shared, since }: { forCommand?: boolean; shared?: string; since?: number },
): Promise<Scan> {
  const target = {
    ...{ attempts_of: payment.record.partnerCode, for_command: forCommand },
    ...(shared !== undefined && { service_ids: [shared] }),
    ...(since !== undefined && { since }),
  };
  const doing = since === undefined ? 'scan the list for its attempts' : 'scan what the list has since';
  return ctx.scanPayouts(target, doing);
}

function isSameRecord(one: PayoutReading, other: PayoutReading): boolean {
  if (one.service_id !== null) return isSameIdentifier(one.service_id, other.service_id);
  const { claimed_at: at, partner_code: code } = one;
  return other.service_id === null && other.partner_code === code && other.claimed_at === at;
}
