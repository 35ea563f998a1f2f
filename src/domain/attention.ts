import { Refused } from './refused.js';

/**
 * Why an operator is needed; the value of the search attribute PaymentAttention. A closed list, the gravest first:
 * when several hold at once, the first of them is shown.
 */
export const attentions = [
  'paid_twice',
  'payout_returned',
  'chargeback',
  'inconsistent_answer',
  'submission_unknown',
  'payout_failed',
  'bulk_retry_stopped',
  'refund_failed',
  'refund_unconfirmed',
  'awaiting_card',
  'not_sent',
  'unreadable',
  'unrecognised_status',
  'overdue',
  'invalid_input',
] as const;

export type Attention = (typeof attentions)[number];

/**
 * What each attention means and what ends it, in words for an operator. What is proven of the money is said beside it
 * where that depends on more: `statements.ts`.
 */
export const attentionTexts: Record<Attention, { meaning: string; action: string }> = {
  payout_failed: {
    meaning: 'The payout failed.',
    action:
      'retryPayout, with corrections where the payee data was wrong (such as "pix" or "account"), or abandonPayout.',
  },
  bulk_retry_stopped: {
    meaning:
      'Too many of the retried payouts failed again, so the bulk retry has stopped by itself. The others were not sent.',
    action: 'Look at its report, then stop it, or resume it when the cause is gone.',
  },
  payout_returned: {
    meaning: 'The payout was done and no longer is: the money may have come back.',
    action:
      'Check the account statement. Once it reads as failed: while it is owed, pay it here alone, by retryPayout with the number of the attempt; else abandonPayout. Then acknowledgeAttention.',
  },
  paid_twice: {
    meaning: 'Two attempts of this payout are done: the payee was paid twice.',
    action: 'Recover the surplus from the payee or the service, then acknowledgeAttention.',
  },
  submission_unknown: {
    meaning: 'It is not known whether the service took this payment. Money may or may not have moved.',
    action:
      'Look it up at the service by partner_code, then resolveSubmission with its id or with nothing_happened.',
  },
  awaiting_card: {
    meaning: 'The payment waits for a card.',
    action: 'Send the card again (the same POST, or provideCard) before the window ends.',
  },
  not_sent: {
    meaning: 'It could not be sent so far, or the service answered that it did nothing.',
    action:
      'Look at the token, the network and the workers (durable-payments doctor), and withdraw it or acknowledgeAttention. It is sent when it can be.',
  },
  unreadable: {
    meaning: 'What the service shows now is not known. Money may have moved since the last read.',
    action:
      'Look at the service and at its availability. If it is there under another identifier, give that by resolveSubmission; otherwise acknowledgeAttention. Reading goes on.',
  },
  overdue: {
    meaning: 'The payment has not come to its end by its deadline. Money may be on its way.',
    action: 'Ask the service what holds it up, then acknowledgeAttention. Reading goes on.',
  },
  chargeback: {
    meaning: "The cardholder's bank took the money back.",
    action: 'Dispute it or accept it with the service, then acknowledgeAttention.',
  },
  refund_unconfirmed: {
    meaning: 'The refund was requested, perhaps taken, and is not confirmed.',
    action: 'Look at the service, then resolveRefund, or retryRefund if it is certain that none was queued.',
  },
  refund_failed: {
    meaning: 'The refund was refused, has failed, or was not requested.',
    action: 'retryRefund when the cause is gone, or resolveRefund.',
  },
  unrecognised_status: {
    meaning: 'The service uses a status that is not in its document. What it means for the money is unknown.',
    action: 'Ask the service what it means, then acknowledgeAttention. Reading goes on.',
  },
  inconsistent_answer: {
    meaning: 'An answer of the service does not fit what was sent, or what was decided here.',
    action: 'Compare both with the service, correct what is wrong there, then acknowledgeAttention.',
  },
  invalid_input: {
    meaning: 'The request was not usable, so it was not sent. No money has moved by it.',
    action: 'Correct the request and send it under a new partner_code.',
  },
};

/**
 * Why an attention can't be acknowledged; undefined when it can.
 *
 * @param attention the one that is shown now
 * @param seen the one that its sender was shown; any when left out
 */
export function acknowledgeRefusal(attention: Attention | null, seen = attention): Refused | undefined {
  if (attention === null) return new Refused('NoAttention', 'This payment does not need an operator.');
  if (seen !== attention) {
    const what = `This payment needs an operator for ${attention} now, not for ${String(seen)}. Look at it again.`;
    return new Refused('OtherAttention', `${what} Nothing was changed.`);
  }
  if (!needsDecision(attention)) return undefined;
  const what = `${attention} ends by a decision, not by an acknowledgement. See its current details.`;
  return new Refused('DecisionNeeded', what);
}

/** Attentions that only a decision can end; acknowledgeAttention ends each of the others. */
export function needsDecision(attention: Attention): boolean {
  return (
    attention === 'payout_failed' ||
    attention === 'bulk_retry_stopped' ||
    attention === 'submission_unknown' ||
    attention === 'awaiting_card' ||
    attention === 'refund_unconfirmed' ||
    attention === 'refund_failed'
  );
}
