import { isServicePayoutStatus } from './statuses.js';

/**
 * What is known of one submission of a payout:
 * `to_send` nothing was sent yet; `verifying` it may have been sent, scans go on; `unknown` scans did not find it, an
 * operator is asked; `known` it has an identifier and is read; `refused` the service refused it; `never_sent` it was
 * given up unsent; `not_paid` an operator found that nothing had happened.
 */
export type AttemptPhase =
  'to_send' | 'verifying' | 'unknown' | 'known' | 'refused' | 'never_sent' | 'not_paid';

export type Attempt = {
  readonly number: number;
  readonly partnerCode: string;
  readonly phase: AttemptPhase;
  /** By which `GET /v1/payout/{id}` reads it. */
  readonly serviceId: string | null;
  /** The identifier in `GET /v1/payouts`, where that is another one. */
  readonly listId: string | null;
  /** The service's status, by the last read; null before the first. */
  readonly status: string | null;
  readonly error: string | null;
  readonly wasDone: boolean;
  /** What in the last reading did not fit; null when all did. */
  readonly misfit: string | null;
  /** Whether a read by its identifier has ever shown it. */
  readonly wasRead: boolean;
  /** When it was decided to send it: milliseconds since the epoch. */
  readonly decidedAt: number;
  /** The service's list has shown a record of it, or a read by another identifier has. */
  readonly listed?: boolean;
  /** What in the list's records of it did not fit; null when all did. */
  readonly listFault?: string | null;
  /** The last read by its identifier showed a failure, and the list movement: it is followed as moving. */
  readonly isContradicted?: boolean;
  /** It had failed for good, because it was given up or another one followed, and does not read as failed any more. */
  readonly revived?: boolean;
  /** It was done, came back, and another one was sent since. */
  readonly replaced?: boolean;
  /** When the service answered a call of it that it did nothing, the last time: milliseconds since the epoch. */
  readonly deniedAt?: number;
  /** Who is paid by it, masked; null when its input names nobody, or when only the service has shown it. */
  readonly payee: string | null;
  /** The bulk retry that had it sent. */
  readonly bulkRetryId?: string;
  /** Why it was never sent, where that forbids to retry without naming the attempt. */
  readonly stopped?: 'account_invalid' | 'corrections';
};

/** An attempt that is to be sent. */
export function newAttempt(
  number: number,
  partnerCode: string,
  decidedAt: number,
  payee: string | null = null,
): Attempt {
  return {
    number,
    partnerCode,
    phase: 'to_send',
    serviceId: null,
    listId: null,
    status: null,
    error: null,
    wasDone: false,
    misfit: null,
    wasRead: false,
    decidedAt,
    payee,
  };
}

/** Whether it is proven that this attempt has paid nobody, as far as the last read shows. */
export function provenFailed({ phase, status }: Attempt): boolean {
  return isVoid(phase) || (phase === 'known' && status === 'error');
}

/** Whether an attempt is believed to have had no effect, without an identifier by which a read could show it. */
export function isVoid(phase: AttemptPhase): boolean {
  return phase === 'refused' || phase === 'never_sent' || phase === 'not_paid';
}

/** Whether the service may hold a payout for this attempt under an identifier that is not known here. */
export function mayHideAtService({ deniedAt, phase }: Attempt): boolean {
  return deniedAt !== undefined || isVoid(phase) || phase === 'unknown' || phase === 'verifying';
}

/** The service's list has so long to show what it has taken. */
const listedWithinMs = 60_000;

/** From when on a scan shows which of these attempts the service took although it had refused them; 0 without any. */
export function shownFrom(attempts: readonly Pick<Attempt, 'deniedAt'>[], scale: number): number {
  const answeredAt = attempts.flatMap(({ deniedAt }) => deniedAt ?? []);
  return answeredAt.length === 0 ? 0 : Math.max(...answeredAt) + listedWithinMs * scale;
}

/** A change of its status at the service, in words. */
export function changeOf({ number, status: before }: Attempt, status: string): string {
  return `Attempt ${String(number)}: ${before ?? 'submitted'} → ${status}`;
}

/** Of an attempt of which reads and the list do not agree, in words. */
export function contradiction(number: number): string {
  return `A read shows attempt ${String(number)} as failed, the service's list as moving: it counts as moving.`;
}

/** Why an attempt failed: the value of the search attribute PaymentCause. A closed list. */
export const failureCauses = [
  'service_error',
  'refused',
  'account_invalid',
  'returned',
  'never_sent',
  'not_paid',
] as const;

export type FailureCause = (typeof failureCauses)[number];

export function failureCause(attempt: Attempt): FailureCause | null {
  if (!provenFailed(attempt)) return null;
  if (attempt.wasDone) return 'returned';
  switch (attempt.phase) {
    case 'refused':
    case 'not_paid':
      return attempt.phase;
    case 'never_sent':
      return attempt.stopped === 'account_invalid' ? 'account_invalid' : 'never_sent';
    default:
      return 'service_error';
  }
}

/** The status of one attempt as operators see it. */
export function attemptStatus({ phase, status }: Attempt): string {
  switch (phase) {
    case 'to_send':
    case 'verifying':
      return 'submitting';
    case 'unknown':
      return 'submission_unknown';
    case 'refused':
      return 'rejected';
    case 'never_sent':
    case 'not_paid':
      return phase;
    case 'known':
      return status ?? 'submitting';
  }
}

/** An attempt as a payment's state shows it. */
export function attemptView(attempt: Attempt) {
  return {
    number: attempt.number,
    partner_code: attempt.partnerCode,
    service_id: attempt.serviceId,
    list_id: attempt.listId,
    status: attemptStatus(attempt),
    cause: failureCause(attempt),
    error: attempt.error,
    payee: attempt.payee,
    bulk_retry_id: attempt.bulkRetryId ?? null,
  };
}

/** The status of the whole payout: what its latest attempt shows, unless money has left, or may leave, by another one. */
export function payoutStatus(attempts: readonly Attempt[], abandoned: boolean): string {
  const shown = shownAttempt(attempts);
  if (shown === undefined) return 'submitting';
  if (abandoned && attempts.every(provenFailed)) return 'abandoned';
  return shown.phase === 'never_sent' || shown.phase === 'not_paid' ? 'rejected' : attemptStatus(shown);
}

/**
 * The service's identifier of the attempt that the status is of. One that ended without any leaves what was known
 * before.
 */
export function payoutServiceId(attempts: readonly Attempt[], before: string | null): string | null {
  const shown = shownAttempt(attempts);
  if (shown === undefined || (shown.serviceId === null && isVoid(shown.phase))) return before;
  return shown.serviceId;
}

/** Who is paid by the attempt that the status is of, masked; null when nobody is named. */
export function payoutPayee(attempts: readonly Attempt[]): string | null {
  return shownAttempt(attempts)?.payee ?? null;
}

/** Once one is done, that one. Else the latest, unless it failed and another one moves. */
function shownAttempt(attempts: readonly Attempt[]): Attempt | undefined {
  const latest = attempts.at(-1);
  if (latest === undefined || !(latest.phase === 'known' || isVoid(latest.phase))) return latest;
  const done = attempts.findLast(({ status }) => status === 'done');
  if (done !== undefined || !provenFailed(latest)) return done ?? latest;
  return attempts.find((attempt) => !isSettled([attempt])) ?? latest;
}

/** Whether no attempt moves any more: each is done, or proven failed. */
export function isSettled(attempts: readonly Attempt[]): boolean {
  return attempts.every((attempt) => attempt.status === 'done' || provenFailed(attempt));
}

/** Statuses of attempts whose meaning is not known. */
export function unrecognisedStatuses(attempts: readonly Attempt[]): string[] {
  return attempts.flatMap(({ status }) =>
    status !== null && !isServicePayoutStatus(status) ? [status] : [],
  );
}

/** What has to be proven before the latest attempt may be sent. */
export type ProofNeeded = { previousFailed: boolean; notListed: boolean };

/**
 * Before a further attempt, the previous ones are read again, unless that was done just now. A decision that is older
 * than a minute (a late task, a failover, a restored backup, a long wait) needs a complete scan that does not hold it; so
 * does each try of one that does not count any more.
 *
 * @param provenAt when the look began by which the previous ones were last proven failed, and no record was listed
 * @param tries how often the latest attempt was tried; each further try needs the proof again
 */
export function proofNeeded(
  latest: Attempt,
  { now, provenAt, freshMs, tries }: { now: number; provenAt: number; freshMs: number; tries: number },
): ProofNeeded {
  const isProven = tries === 0 && now - provenAt <= freshMs;
  return {
    previousFailed: latest.number > 1 && !isProven,
    notListed: latest.decidedAt === 0 ? !isProven : now - Math.max(latest.decidedAt, provenAt) > freshMs,
  };
}
