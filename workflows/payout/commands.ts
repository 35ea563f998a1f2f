import type { PayoutReading } from '../../src/contract/outcomes.js';
import { mayHideAtService } from '../../src/domain/payout-attempts.js';
import type { CommandMessages, PaymentContext } from '../shared/context.js';
import { Refused } from '../shared/refused.js';
import type { PayoutPayment } from './payment.js';
import { lookAtAll } from './reads.js';

/** A further attempt, once fresh reads have shown that none of the previous ones has moved or moves money. */
export async function retry(
  ctx: PaymentContext,
  payment: PayoutPayment,
  command: CommandMessages['retryPayout'],
): Promise<void> {
  await refuseInResetRun(ctx, payment);
  await proveAllFailed(ctx, payment);
  payment.beginAttempt(command.corrections, command);
}

/** Gives a failed payout up. After a reset all attempts are looked for first. */
export async function abandon(
  ctx: PaymentContext,
  payment: PayoutPayment,
  command: CommandMessages['abandonPayout'],
): Promise<void> {
  if (ctx.run.afterReset || (await ctx.wasReset())) await proveAllFailed(ctx, payment);
  payment.attempts.abandon(command);
  payment.planRead();
}

/** Withdraws an attempt that waits to be sent, and gives the payout up. */
export async function withdraw(
  ctx: PaymentContext,
  payment: PayoutPayment,
  command: CommandMessages['abandonPayout'],
): Promise<void> {
  await refuseInResetRun(ctx, payment);
  payment.fail('never_sent', 'Withdrawn before it was sent.');
  payment.attempts.abandon(command);
  payment.planRead();
}

/** What an operator found out about a submission of unknown outcome. */
export async function resolve(
  ctx: PaymentContext,
  payment: PayoutPayment,
  command: CommandMessages['resolveSubmission'],
): Promise<void> {
  const { attempts, reads, record } = payment;
  if (command.service_id === undefined) {
    attempts.markNotPaid(command);
    payment.planRead();
    return;
  }
  const serviceId = String(command.service_id);
  if (attempts.all.some((attempt) => attempt !== attempts.latest && attempt.serviceId === serviceId)) {
    throw new Refused('InvalidMessage', 'That is another attempt of this payout. Nothing was changed.');
  }
  const owner = await ctx.ownerOf(serviceId);
  if (owner !== null) {
    throw new Refused('InvalidMessage', `That identifier belongs to ${owner}. Nothing was changed.`);
  }
  attempts.adopt(serviceId, await confirmed(ctx, payment, serviceId));
  record.note(`Resolved: it is ${serviceId} at the service`, command);
  reads.dueNow('command');
}

/** What a read and the list show of an identifier that an operator names. The list tells whose it is; a read may not. */
async function confirmed(
  ctx: PaymentContext,
  { attempts }: PayoutPayment,
  serviceId: string,
): Promise<PayoutReading> {
  const { latest } = attempts;
  const read = await ctx.readPayout(serviceId, 'read the payout that an operator named');
  const listed = await ctx.scanPayouts(
    { partner_codes: [latest.partnerCode], service_ids: [serviceId] },
    'look whose identifier that is',
  );
  if (listed === undefined) throw couldNotRead();
  const byRead =
    read.kind === 'read' ? [{ ...read.reading, service_id: read.reading.service_id ?? serviceId }] : [];
  const shown = byRead[0] ?? listed.find(({ service_id: id }) => id === serviceId);
  if (shown === undefined) throw couldNotRead();
  for (const record of [...byRead, ...listed]) {
    const fault = attempts.misfit(latest, record);
    if (fault !== null) {
      throw new Refused('InvalidMessage', `${fault} It is not this payout. Nothing was changed.`);
    }
    if (
      record.service_id !== null &&
      record.service_id !== serviceId &&
      record.service_id !== latest.listId
    ) {
      throw new Refused(
        'InvalidMessage',
        `The service's list holds this payout as ${record.service_id}, not as ${serviceId}. Nothing was changed.`,
      );
    }
  }
  return shown;
}

/** Fresh reads of every attempt, and a complete scan where one may hide. @throws Refused unless all are failed */
async function proveAllFailed(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const { attempts, record } = payment;
  const mayHide = ctx.run.afterReset || attempts.all.some(mayHideAtService);
  const { result } = await lookAtAll(ctx, payment, mayHide);
  if (payment.stage !== 'decide') {
    throw new Refused(
      'AlreadyMoving',
      `A fresh read shows that a previous attempt did not fail: ${record.status}. Nothing was sent.`,
    );
  }
  if (result === 'unreadable') {
    throw new Refused(
      'CouldNotRead',
      'The previous attempts could not be read just now, so nothing was sent. Try again later.',
    );
  }
  if (result === 'unclear' || record.isRaised('inconsistent_answer')) {
    throw new Refused(
      'CouldNotRead',
      'What the service shows of a previous attempt is not clear, so nothing was sent.',
    );
  }
}

/** A run that came about by a reset sends nothing. It looks for what was sent, and goes on in a fresh run. */
async function refuseInResetRun(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  if (!(await ctx.wasReset())) return;
  payment.continueInFreshRun();
  if (payment.stage === 'submit') {
    payment.doubt('This run came about by a reset: the run before it may have sent the request.', ctx.now());
  } else {
    await lookAtAll(ctx, payment, true);
  }
  throw new Refused(
    payment.stage === 'decide' ? 'RunWasReset' : 'AlreadyMoving',
    `This workflow was reset, so this run sends nothing. It is ${payment.record.status}, and goes on in a fresh run. ` +
      'Send the command again if it still applies.',
  );
}

function couldNotRead(): Refused {
  return new Refused(
    'CouldNotRead',
    'That payout could not be read just now. Nothing was changed. Try again later.',
  );
}
