import type { PayoutReading } from '../../src/contract/outcomes.js';
import { notProvenFailed } from '../../src/domain/payout-proofs.js';
import { adopted, seenByCommand } from '../../src/domain/payout-readings.js';
import { awaitsDecision, isUnsent } from '../../src/domain/payout-stages.js';
import { givenUp, notPaid, previousOf } from '../../src/domain/payout.js';
import { payoutMisfit } from '../../src/domain/misfit.js';
import { Refused } from '../../src/domain/refused.js';
import type { Attempt } from '../../src/domain/payout-attempts.js';
import type { CommandMessages } from '../shared/commands.js';
import { unknownAfterReset, type PaymentContext } from '../shared/context.js';
import { claim, refuseForeign, refuseKnown } from '../shared/identifiers.js';
import type { PayoutPayment } from './payment.js';
import { lookAtAll } from './reads.js';
import { isSameIdentifier } from '../../src/domain/service-ids.js';

/** A further attempt, once fresh reads have shown that none of the previous ones has moved or moves money. */
export async function retry(
  ctx: PaymentContext,
  payment: PayoutPayment,
  command: CommandMessages['retryPayout'],
): Promise<void> {
  await refuseInResetRun(ctx, payment);
  payment.beginAttempt(command, await proveAllFailed(ctx, payment));
}

/** Gives a failed payout up. After a reset all attempts are looked for first. */
export async function abandon(
  ctx: PaymentContext,
  payment: PayoutPayment,
  command: CommandMessages['abandonPayout'],
): Promise<void> {
  if (ctx.run.afterReset || (await ctx.wasReset())) await findAll(ctx, payment);
  payment.apply(givenUp(payment.data), command);
  payment.planRead();
}

/**
 * Withdraws an attempt that waits to be sent, and gives the payout up. After a reset all attempts are looked for in
 * between: one that the list shows moving is not given up.
 */
export async function withdraw(
  ctx: PaymentContext,
  payment: PayoutPayment,
  command: CommandMessages['abandonPayout'],
): Promise<void> {
  await refuseInResetRun(ctx, payment);
  if (!ctx.run.afterReset && !(await cameToNothing(ctx, payment, true))) {
    const what = `The service may have taken it all the same: it is ${payment.record.status}.`;
    throw new Refused('AlreadyMoving', `${what} It is not sent again. Nothing was given up.`);
  }
  payment.endUnsent('It was withdrawn.', command);
  if (ctx.run.afterReset) await findAll(ctx, payment).catch(withdrawnAlone);
  payment.apply(givenUp(payment.data), command);
  payment.planRead();
}

/** Whoever gives a payout up wants none of it sent, so that the withdrawal holds. */
function withdrawnAlone(error: unknown): never {
  if (!(error instanceof Refused)) throw error;
  const what = 'The attempt that waited to be sent is withdrawn. The payout is not given up.';
  throw new Refused(error.type, `${error.message} ${what}`);
}

/** What an operator found out about a submission of unknown outcome. */
export async function resolve(
  ctx: PaymentContext,
  payment: PayoutPayment,
  command: CommandMessages['resolveSubmission'],
): Promise<void> {
  const { reads, record } = payment;
  if (command.service_id === undefined) {
    await refuseFound(ctx, payment);
    payment.apply(notPaid(payment.data), command);
    return payment.planRead();
  }
  const serviceId = String(command.service_id);
  if (previousOf(payment.data).some((attempt) => isSameIdentifier(attempt.serviceId, serviceId))) {
    throw new Refused('InvalidMessage', 'That is another attempt of this payout. Nothing was changed.');
  }
  const startedAt = ctx.now();
  await refuseForeign(ctx, serviceId);
  await refuseUnmoved(ctx, payment, serviceId);
  if (awaitsDecision(payment.stage)) await findAll(ctx, payment);
  // The identifier that is known already is read again by all rules, also when the command is refused.
  if (isSameIdentifier(serviceId, payment.latest.serviceId)) reads.dueNow('command');
  const { owesScan } = payment.data;
  const { isShownAsOurs, shown, shownId, wasRead } = await confirmed(ctx, payment, serviceId);
  if (!isShownAsOurs) await claim(ctx, payment, serviceId, startedAt);
  // After a reset no failure is concluded before all attempts were looked for.
  const isEarly = shown.status === 'error' && (owesScan || (await ctx.wasReset()));
  const seen = { shown: isEarly ? { ...shown, status: null } : shown, wasRead };
  payment.apply({ ...adopted(payment.data, shownId, seen, record), owesScan });
  record.note(`Resolved: it is ${shownId} at the service`, command);
  reads.dueNow('command');
}

/** A payout that reads have shown is at another identifier only once the service does not know its own any more. */
async function refuseUnmoved(ctx: PaymentContext, payment: PayoutPayment, named: string): Promise<void> {
  const { phase, serviceId, wasRead } = payment.latest;
  if (phase !== 'known' || !wasRead || serviceId === null || isSameIdentifier(serviceId, named)) return;
  payment.reads.dueNow('command');
  refuseKnown(await ctx.readPayout(serviceId, 'read whether it has moved to another identifier'), serviceId);
}

/** An identifier that the service has given is read once more. @throws Refused when that shows the payout */
async function refuseFound(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const { latest, reads, record } = payment;
  if (latest.serviceId === null) return;
  const read = await ctx.readPayout(latest.serviceId, 'read what is said to have come to nothing');
  if (read.kind !== 'read' || payoutMisfit(latest, record.rightCentavos, read.reading) !== null) return;
  payment.apply(seenByCommand(payment.data, { own: read.reading, records: [] }, record));
  reads.dueNow('command');
  const { status } = read.reading;
  throw new Refused(
    'AlreadyMoving',
    `A fresh read shows it: ${status ?? 'it is there'}. Nothing was changed.`,
  );
}

/** What a read and the list show of an identifier that an operator names. The list shows whose it is; a read may not. */
async function confirmed(
  ctx: PaymentContext,
  payment: PayoutPayment,
  serviceId: string,
): Promise<{ isShownAsOurs: boolean; shown: PayoutReading; shownId: string; wasRead: boolean }> {
  const { latest, record } = payment;
  const read = await ctx.readPayout(serviceId, 'read the payout that an operator named');
  const target = { partner_codes: [latest.partnerCode], service_ids: [serviceId], for_command: true };
  const listed = await ctx.scanPayouts(target, 'look whose identifier that is');
  const byRead =
    read.kind === 'read' ? [{ ...read.reading, service_id: read.reading.service_id ?? serviceId }] : [];
  const own = isSameIdentifier(serviceId, latest.serviceId) ? (byRead[0] ?? null) : null;
  const records = [...byRead, ...(listed ?? [])];
  // What the list has shown under the code of the payout is its own, also once the service has lost the record.
  const lost = isSameIdentifier(latest.listId, serviceId) ? lostRecord(latest, serviceId) : undefined;
  const isMisfit = (each: PayoutReading) => payoutMisfit(latest, record.rightCentavos, each) !== null;
  // An operator who has acknowledged another amount, and has not accepted it, has to decide once more.
  if (records.some(isMisfit)) record.withdrawAcknowledgement('inconsistent_answer');
  payment.apply(seenByCommand(payment.data, { own, records }, record));
  const found = records.find(({ service_id: id }) => isSameIdentifier(id, serviceId)) ?? lost;
  if (listed === undefined || found === undefined) {
    const what = 'That payout could not be read just now. Nothing was changed. Try again later.';
    throw new Refused('CouldNotRead', what);
  }
  for (const each of records) {
    const fault = payoutMisfit(latest, record.rightCentavos, each);
    if (fault !== null) {
      const isOurs = each.partner_code === latest.partnerCode;
      const what = isOurs
        ? 'When that amount is right, acknowledge inconsistent_answer with accept_value first.'
        : 'It is not this payout.';
      throw new Refused('InvalidMessage', `${fault} ${what} Nothing was changed.`);
    }
    if (![null, serviceId, latest.listId].some((id) => isSameIdentifier(id, each.service_id))) {
      const what = `The service's list holds this payout as ${String(each.service_id)}, not as ${serviceId}.`;
      throw new Refused('InvalidMessage', `${what} Nothing was changed.`);
    }
  }
  payment.queue.refuseExpired();
  // Movement that any of them shows outweighs a failure.
  const shown = records.find(({ status }) => status !== 'error') ?? found;
  const wasRead = byRead.length > 0;
  // What a read has shown is read so again; where the list alone shows it, by the spelling of the list.
  const isShownAsOurs = [...records, found].some(
    ({ partner_code: code, service_id: id }) =>
      code === latest.partnerCode && isSameIdentifier(id, serviceId),
  );
  return { isShownAsOurs, shown, shownId: wasRead ? serviceId : (found.service_id ?? serviceId), wasRead };
}

/** What is known of a record that the service has listed, and shows no more. */
function lostRecord({ partnerCode }: Attempt, serviceId: string): PayoutReading {
  const nothing = { status: null, value_centavos: null, claimed_at: null };
  return { ...nothing, service_id: serviceId, partner_code: partnerCode };
}

/**
 * Looks for all attempts, of which a reset run knows nothing, where nothing is sent by what follows: an identifier that the
 * service does not know any more does not matter. @throws Refused when one moves, or the list could not be read
 */
async function findAll(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const { isScanned } = await lookAtAll(ctx, payment, { alsoScan: true, purpose: 'command' });
  const { record, stage } = payment;
  const result = isScanned ? 'clear' : 'unreadable';
  const refusal = notProvenFailed({ stage, status: record.status, result, isInconsistent: false });
  if (refusal !== undefined) throw refusal;
}

/**
 * Fresh reads of every attempt, and a complete scan for the codes of all: another record under the code of one that reads
 * as failed may move. @throws Refused unless all are failed
 */
async function proveAllFailed(ctx: PaymentContext, payment: PayoutPayment): Promise<number> {
  const { begunAt, result } = await lookAtAll(ctx, payment, { alsoScan: true, purpose: 'command' });
  const { record, stage } = payment;
  const isInconsistent = record.needsOperatorFor('inconsistent_answer');
  const refusal = notProvenFailed({ stage, status: record.status, result, isInconsistent });
  if (refusal !== undefined) throw refusal;
  payment.queue.refuseExpired();
  // All of them were read, or looked for.
  if (record.data.unreadableSince !== null) {
    record.wasRead('command', payment.latest.status);
    payment.conclude();
  }
  return begunAt;
}

/** A run that came about by a reset sends nothing. It looks for what was sent, and goes on in a fresh run. */
async function refuseInResetRun(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  if (!(await ctx.wasReset())) return;
  payment.needsFreshRun = true;
  if (isUnsent(payment.stage)) payment.markUnknown(unknownAfterReset, ctx.now());
  else await lookAtAll(ctx, payment, { alsoScan: true, purpose: 'command' });
  throw new Refused(
    awaitsDecision(payment.stage) ? 'RunWasReset' : 'AlreadyMoving',
    `This workflow was reset, so this run sends nothing. It is ${payment.record.status}, and goes on in a fresh run. ` +
      'Send the command again if it still applies.',
  );
}

/** After a reset "nothing was sent" is true of this run alone: the attempt is looked for instead. */
export async function endUnsent(ctx: PaymentContext, payment: PayoutPayment, end: () => void): Promise<void> {
  if (!(await ctx.wasReset())) {
    if (await cameToNothing(ctx, payment, false)) end();
    return;
  }
  payment.needsFreshRun = true;
  payment.markUnknown(unknownAfterReset, ctx.now());
}

/**
 * Whether nothing came of the latest attempt, which is not to be sent any more. What a status code said of it is looked up
 * first; an attempt that may have been taken is looked for from then on.
 */
async function cameToNothing(
  ctx: PaymentContext,
  payment: PayoutPayment,
  forCommand: boolean,
): Promise<boolean> {
  if (!payment.data.submission.wasAnswered) return true;
  const purpose = forCommand ? 'command' : 'proof';
  const { result } = await lookAtAll(ctx, payment, { alsoScan: true, purpose });
  if (!isUnsent(payment.stage)) return false;
  if (result !== 'unreadable' && payment.latest.listed !== true) return true;
  const what =
    result === 'unreadable'
      ? 'The service answered that it did nothing, and its list, which would show that, could not be read.'
      : 'The service answered that it did nothing, and its list holds it.';
  payment.markUnknown(what, ctx.now());
  return false;
}
