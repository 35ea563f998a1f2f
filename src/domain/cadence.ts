const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The largest `POLL_SCALE`: beyond it deadlines would outlive keys and records. */
export const maxPollScale = 10;

/** One stretch of a cadence: read each `everyMs` until `untilMs` after the last change of status. */
export type CadenceStep = { untilMs: number; everyMs: number };

/** While a change is expected. The last step has no end. */
export const followCadence: readonly CadenceStep[] = [
  { untilMs: 2.5 * second, everyMs: 5 * second },
  { untilMs: 12 * second, everyMs: 15 * second },
  { untilMs: 35 * second, everyMs: 30 * second },
  { untilMs: 15 * minute, everyMs: minute },
  { untilMs: hour, everyMs: 5 * minute },
  { untilMs: day, everyMs: 15 * minute },
  { untilMs: 7 * day, everyMs: hour },
  { untilMs: Infinity, everyMs: day },
];

/** While a reconciliation runs, a payout's own reads beyond the first minute are hourly, later daily. */
export const reconciledCadence: readonly CadenceStep[] = [
  ...followCadence.slice(0, 3),
  { untilMs: 7 * day, everyMs: hour },
  { untilMs: Infinity, everyMs: day },
];

/** Of an order that is paid, and settled days or weeks later: nobody waits for that, and a postback announces it. */
export const settlementCadence: readonly CadenceStep[] = [
  { untilMs: 2.5 * second, everyMs: 5 * second },
  { untilMs: 2 * day, everyMs: day },
  { untilMs: Infinity, everyMs: 7 * day },
];

/** Of an order, or a refund that a person has ended, after its expected end: thinning, with a read at the end of the watch. */
export const watchCadence: readonly CadenceStep[] = [
  { untilMs: 7 * day, everyMs: day },
  { untilMs: 21 * day, everyMs: 7 * day },
  { untilMs: Infinity, everyMs: 60 * day },
];

/** Of a payout: thinning, but never blind for long before its watch ends. */
export const payoutWatchCadence: readonly CadenceStep[] = [
  { untilMs: 7 * day, everyMs: day },
  { untilMs: 14 * day, everyMs: 2 * day },
  { untilMs: Infinity, everyMs: 7 * day },
];

/** While a failed payout waits for a decision: daily. */
export const dailyCadence: readonly CadenceStep[] = [{ untilMs: Infinity, everyMs: day }];

/** When scans for a payout of unknown outcome take place, after the deadline of the call itself. */
export const scanDelaysMs: readonly number[] = [10 * second, minute, 5 * minute, 15 * minute, 30 * minute];

/** How long to wait before a call that surely did nothing is sent again, by the number of times it was. */
export const resendDelaysMs: readonly number[] = [
  ...[2 * second, 5 * second, 15 * second, 30 * second, minute],
  // For a day.
  ...Array.from({ length: day / (5 * minute) }, () => 5 * minute),
  15 * minute,
];

/**
 * The wait before the next read.
 *
 * @param sinceChangeMs time since the last change of status
 * @param random a number in [0, 1) for the jitter of ±10 %
 */
export function nextReadDelayMs(
  cadence: readonly CadenceStep[],
  sinceChangeMs: number,
  random: number,
): number {
  const step = cadence.find(({ untilMs }) => sinceChangeMs < untilMs) ?? cadence.at(-1);
  const everyMs = step?.everyMs ?? day;
  return Math.round(everyMs * (0.9 + 0.2 * random));
}

/** The wait before a read that did not work is made again, by how long none has: 5 minutes at first, 6 hours at most. */
export function rereadDelayMs(failingMs: number): number {
  return Math.min(Math.max(failingMs / 2, 5 * minute), 6 * hour);
}

/** The delay of a list by index, the last one for ever after. */
export function delayAt(delays: readonly number[], index: number): number {
  return delays[Math.min(index, delays.length - 1)] ?? minute;
}

/** What is read again this soon is shown in the state only, and not published as search attributes. */
export function passingMs(scale: number): number {
  return 10 * second * Math.min(1, scale);
}

/** Spans of a lifecycle in milliseconds; `POLL_SCALE` multiplies each. */
export const spans = {
  /** An order not settled so long after it was paid (or submitted, when it never was) is overdue. */
  orderSettlementMs: 45 * day,
  /** A payout not done so long after it was submitted is overdue. */
  payoutDoneMs: 3 * day,
  /** How long an order waits for a card that was lost before anything was sent. */
  awaitingCardMs: 15 * minute,
  /** How long a customer may take for a hosted checkout before it expires. */
  checkoutMs: 48 * hour,
  /** How long a customer may take to authenticate by 3D Secure. */
  authenticationMs: 30 * minute,
  /** A refund whose order can't be read, or that can't be requested, for so long needs an operator. */
  refundFirstReadMs: hour,
  /** A refund not seen as refunded so long after the request is unconfirmed. */
  refundConfirmationMs: 10 * day,
  /** An account validation without an answer for so long is unanswered. */
  validationAnswerMs: 3 * day,
} as const;

/** An order that came to nothing by a decision or expired is watched so long, whatever its input says. */
export const watchAfterDecisionMs = 7 * day;

/** A decision to send a payout is followed without a scan for so long only: it may be a late task or an old backup. */
export const freshDecisionMs = minute;

/** Default length of the watch after the last change of status, in days. */
export const watchDays = { order: 180, payout: 14, refund: 180 } as const;

export const hourMs = hour;
export const dayMs = day;
