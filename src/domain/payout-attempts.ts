import { isServicePayoutStatus } from './statuses.js';

/**
 * What is known of one submission of a payout:
 * `to_send` nothing was sent yet; `verifying` it may have been, scans go on; `unknown` scans found nothing, a
 * person was called; `known` it has an identifier and is read; `refused` the service said no; `never_sent` it was
 * given up unsent; `not_paid` a person looked and nothing had happened.
 */
export type AttemptPhase =
  'to_send' | 'verifying' | 'unknown' | 'known' | 'refused' | 'never_sent' | 'not_paid';

export type Attempt = {
  number: number;
  partnerCode: string;
  phase: AttemptPhase;
  serviceId: string | null;
  /** The service's status, by the last read; null before the first. */
  status: string | null;
  error: string | null;
  wasDone: boolean;
  /** What in the last reading did not fit; null when all did. */
  misfit: string | null;
  /** The service's list holds a record of it that can't be followed. */
  listed?: boolean;
};

/** Whether it is proven that this attempt has paid nobody, as far as the last read can tell. */
export function provenFailed({ phase, status }: Attempt): boolean {
  return (
    phase === 'refused' ||
    phase === 'never_sent' ||
    phase === 'not_paid' ||
    (phase === 'known' && status === 'error')
  );
}

/** Whether the service may hold a payout for this attempt under an identifier that nobody here knows. */
export function mayHideAtService({ phase }: Attempt): boolean {
  return phase === 'refused' || phase === 'not_paid' || phase === 'unknown' || phase === 'verifying';
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

/** The status of the whole payout: what its latest attempt shows, unless money has left by a former one. */
export function payoutStatus(attempts: readonly Attempt[], abandoned: boolean): string {
  const latest = attempts.at(-1);
  if (latest === undefined) return 'submitting';
  const paid = attempts.some(({ status }) => status === 'done');
  if (paid && (provenFailed(latest) || latest.status === 'done')) return 'done';
  if (abandoned) return 'abandoned';
  const moving = attempts.find((attempt) => !isSettled([attempt]));
  if (moving !== undefined && provenFailed(latest)) return attemptStatus(moving);
  return latest.phase === 'never_sent' || latest.phase === 'not_paid' ? 'rejected' : attemptStatus(latest);
}

/** Whether a payout waits for a person to retry or abandon it: every attempt failed, none is given up for good. */
export function isParked(attempts: readonly Attempt[], abandoned: boolean): boolean {
  return !abandoned && attempts.length > 0 && attempts.every(provenFailed);
}

/** Whether no attempt moves any more: each is done, or proven failed. */
export function isSettled(attempts: readonly Attempt[]): boolean {
  return attempts.every((attempt) => attempt.status === 'done' || provenFailed(attempt));
}

/** Whether some attempt shows a status whose meaning nobody here knows. */
export function unrecognisedStatuses(attempts: readonly Attempt[]): string[] {
  return attempts.flatMap(({ status }) =>
    status !== null && !isServicePayoutStatus(status) ? [status] : [],
  );
}
