import { spans } from '../../src/domain/cadence.js';
import { formatAmount } from '../../src/domain/money.js';
import { lookedAt } from '../../src/domain/payout-readings.js';
import { unconfirmed } from '../../src/domain/payout-proofs.js';
import { accepted, undecided } from '../../src/domain/payout.js';
import { readDuring, type ReadByCall, type Submitted } from '../../src/domain/submission.js';
import type { PaymentContext } from '../shared/context.js';
import { putOff, sendAgain, statusAnswered } from '../shared/submission.js';
import type { PayoutPayment } from './payment.js';

/** Sends the latest attempt, and draws the conclusion from what came of it. */
export async function sendLatest(ctx: PaymentContext, payment: PayoutPayment): Promise<void> {
  const { data, input, method, record } = payment;
  const { corrections, provenAt, scanBegunAt, submission } = data;
  // The deadline of the payout counts from the first send on.
  payment.set({ overdueFrom: data.overdueFrom ?? ctx.now() + payment.scaled(spans.payoutDoneMs) });
  const { decidedAt, number } = payment.latest;
  // A further attempt is as old as what proves that the previous ones failed.
  const decidedUponAt = number > 1 ? Math.min(decidedAt, provenAt) : decidedAt;
  const doing = `submit attempt ${String(number)} of ${formatAmount(record.valueCentavos)}`;
  const sent = await ctx.send(submission, doing, (calls, once) => {
    const call = {
      ...once,
      payout: input,
      corrections: corrections.latest,
      attempt: number,
      decided_at: new Date(decidedUponAt).toISOString(),
      scan_begun_at: scanBegunAt === null ? null : new Date(scanBegunAt).toISOString(),
    };
    return method === 'transfer' ? calls.createTransferPayout(call) : calls.createPixPayout(call);
  });
  applySubmitted(payment, sent);
}

function applySubmitted(payment: PayoutPayment, sent: Submitted): void {
  const { data, latest } = payment;
  switch (sent.kind) {
    case 'answered':
      if (sent.serviceId === null) {
        return payment.markUnknown(
          'The service took the payout and gave no usable identifier.',
          payment.now(),
        );
      }
      payment.apply(accepted(data, sent.serviceId, statusAnswered(payment, sent)));
      if (sent.read !== null) applyRead(payment, sent.read);
      return payment.planRead();
    case 'again': {
      const submission = sendAgain(payment, sent);
      const time = { now: payment.now(), scale: payment.start.scale };
      return payment.apply(
        sent.nothingBy === 'answer' ? unconfirmed(data, submission, time) : { submission },
      );
    }
    case 'scan_first': {
      // For a worker whose clock is ahead the scan that was just made is none: it is not asked again at once.
      const isAsked = latest.decidedAt === 0;
      const news = isAsked ? [] : [`Not sent yet: ${sent.reason}`];
      const submission = isAsked ? putOff(payment, data.submission, sent.reason) : data.submission;
      return payment.apply({ ...undecided(data), submission, news });
    }
    case 'refused':
      return payment.refuse(sent.reason);
    case 'card_gone':
    case 'invalid':
      return notUsable(payment, sent.reason);
    case 'unknown':
      payment.needsFreshRun ||= sent.runWasReset;
      return payment.markUnknown(sent.reason, sent.verifyFrom);
  }
}

/** What the creating call has read itself is a read like any other, of its own time as far as that can be. */
function applyRead(payment: PayoutPayment, { shown, read_at }: ReadByCall): void {
  const { partnerCode, rightCentavos } = payment.record;
  const readAt = readDuring(read_at, payment.latest.decidedAt, payment.now());
  const read = [{ number: payment.latest.number, shown }];
  const look = { read, missing: [], listed: null, now: payment.now() };
  payment.apply(lookedAt(payment.data, look, { partnerCode, rightCentavos }).change);
  payment.record.wasRead('creation', payment.latest.status, readAt);
  payment.conclude();
}

/** The worker has made no call: what it was given is not usable. An earlier try may have been taken all the same. */
function notUsable(payment: PayoutPayment, problems: string): void {
  if (payment.latest.deniedAt !== undefined) return payment.endUnsent(`It is not usable: ${problems}.`);
  if (payment.attemptNumber() === 1) return payment.rejectInput(problems);
  const { previous } = payment.data.corrections;
  payment.set({ corrections: { latest: previous, previous } });
  payment.neverSent(`Not sent, the corrections are not usable: ${problems}`, 'corrections');
}
