import type { Change } from './change.js';
import { changeOf, contradiction, newAttempt, provenFailed, type Attempt } from './payout-attempts.js';
import { payoutStage, type PayoutStage } from './payout-stages.js';
import type { PayoutScans } from './payout-scans.js';
import { payoutStatement } from './statements.js';
import { newSubmission, type SubmissionState } from './submission.js';
import { letsPass, type Validation, type ValidationChange } from './validation.js';

/** How a payout ended of which nothing was ever sent. */
export type PayoutEnd = 'rejected' | 'cancelled';

/** What is known of a payout beside its record. */
export type Payout = {
  /** All of them, the latest last. */
  readonly attempts: readonly Attempt[];
  readonly abandoned: boolean;
  readonly closed: boolean;
  readonly end: PayoutEnd | null;
  /** Why its input was not usable. */
  readonly problems: string | null;
  /** Of the latest attempt. */
  readonly submission: SubmissionState;
  readonly scan: PayoutScans;
  /** When the look began by which all previous attempts were last proven failed, and no scan that was needed held the latest one. */
  readonly provenAt: number;
  /** When the last complete scan for every attempt began: what came about since may not be in it. Null before the first. */
  readonly scanBegunAt: number | null;
  /** From when on it is overdue; null once it was, or when nothing is under way. */
  readonly overdueFrom: number | null;
  /** What has not come about by its deadline. */
  readonly overdue: string | null;
  /**
   * After a reset, or when another identifier has shown movement, there may be what no read by a known identifier shows:
   * a complete scan has to look for it before a failure is concluded.
   */
  readonly owesScan: boolean;
  /** The validation of the payee's account, which has to let a transfer pass that asks for it; null when none does. */
  readonly account: Validation | null;
  readonly corrections: Corrections;
};

/** Fields of a payout with the texts that stand in their place. */
export type PayoutCorrections = Readonly<Record<string, string | undefined>>;

/** The fields that the latest attempt is sent with, and those of the attempt before: the latest may not be usable. */
type Corrections = {
  readonly latest: PayoutCorrections | null;
  readonly previous: PayoutCorrections | null;
};

export type PayoutChange = Change<Payout>;

export function newPayout(
  partnerCode: string,
  now: number,
  account: Validation | null = null,
  payee: string | null = null,
): Payout {
  return {
    attempts: [newAttempt(1, partnerCode, now, payee)],
    abandoned: false,
    closed: false,
    end: null,
    problems: null,
    submission: newSubmission(now),
    scan: { from: 0, done: 0 },
    provenAt: 0,
    scanBegunAt: null,
    overdueFrom: null,
    overdue: null,
    owesScan: false,
    account,
    corrections: { latest: null, previous: null },
  };
}

/** The validation that has to come before the first attempt; null when none has. An operator who retries has decided. */
export function pendingAccount(payout: Payout): Validation | null {
  const { account } = payout;
  const { number, phase } = latestOf(payout);
  const isFirst = number === 1 && phase === 'to_send';
  return isFirst && account !== null && !letsPass(account) ? account : null;
}

/** Whether the account of the payee is to be validated before it is sent, by an input that may come from anybody. */
export function asksForValidation(
  input: { readonly method?: string; readonly validate_account?: boolean | undefined } | undefined,
): boolean {
  return input?.method === 'transfer' && input.validate_account === true;
}

/** Its stage, or the one that it was closed in. @param unread as of {@link payoutStage} */
export function lastStage(payout: Payout, unread = false): PayoutStage {
  const { abandoned, attempts } = payout;
  return payoutStage(attempts, { abandoned, awaitsAccount: pendingAccount(payout) !== null, unread });
}

export function withAccount({ account }: Payout, changes: ValidationChange): PayoutChange {
  return account === null ? {} : { account: { ...account, ...changes } };
}

export function latestOf({ attempts }: Payout): Attempt {
  return attempts.at(-1) ?? newAttempt(1, '', 0);
}

export function previousOf({ attempts }: Payout): readonly Attempt[] {
  return attempts.slice(0, -1);
}

/** The service took the latest attempt under this identifier; its first status is what it answered, if it did. */
export function accepted(payout: Payout, serviceId: string, status: string | null): PayoutChange {
  const latest: Attempt = { ...latestOf(payout), phase: 'known', serviceId };
  if (status === null) return { ...withLatest(payout, latest), what: 'The service took the payout.' };
  const seen = shownOf(payout, latest, status);
  return { ...withLatest(payout, { ...latest, ...seen }), news: [changeOf(latest, status)] };
}

/** The latest attempt came to nothing. */
export function failed(
  payout: Payout,
  phase: 'refused' | 'never_sent',
  error: string,
  more: Pick<Attempt, 'deniedAt' | 'stopped'> = {},
): PayoutChange {
  return { ...withLatest(payout, { phase, error, ...more }), what: error };
}

/** It is not known whether the service took the latest attempt; scans follow from then on. */
export function unknown(payout: Payout, reason: string, from: number): PayoutChange {
  return {
    ...withLatest(payout, { phase: 'verifying', error: reason }),
    scan: { from, done: 0 },
    news: [`Whether the service took it is not known yet: ${reason}`],
    what: reason,
  };
}

/** The identifier of the latest attempt belongs to another payout: scans search the attempt by its code. */
export function identifierReleased(payout: Payout, why: string, from: number): PayoutChange {
  const nothing = {
    serviceId: null,
    listId: null,
    status: null,
    wasDone: false,
    wasRead: false,
    misfit: null,
  };
  return unknown({ ...payout, ...withLatest(payout, nothing) }, why, from);
}

/** Scans have not settled it: an operator is asked. An empty list is no proof. */
export function operatorAsked(payout: Payout, why: string): PayoutChange {
  const error = `${latestOf(payout).error ?? ''} ${why}`.trim();
  const what = 'The outcome of the submission is unknown and needs an operator.';
  return { ...withLatest(payout, { phase: 'unknown', error }), what };
}

/** An operator looked and nothing had happened: the attempt counts as failed. */
export function notPaid(payout: Payout): PayoutChange {
  const error = 'An operator looked at the service and found that nothing had happened.';
  const { attempts } = withLatest(payout, { phase: 'not_paid', error });
  const statement = payoutStatement({ ...payout, attempts });
  return {
    attempts,
    news: ['Resolved: nothing had happened'],
    what: `The submission came to nothing. ${statement}`,
  };
}

export function givenUp(payout: Payout): PayoutChange {
  const what = `The failed payout was abandoned. ${payoutStatement(payout)}`;
  return { abandoned: true, news: ['Given up for good'], what };
}

/** Nothing of it was ever sent. */
export function cancelled(payout: Payout): PayoutChange {
  return ended(payout, 'cancelled', 'Cancelled before anything was sent. No money has moved.');
}

export function unusable(payout: Payout, problems: string): PayoutChange {
  const attempts = withLatest(payout, { error: problems });
  const what = 'The request was not usable; nothing was sent.';
  return { problems, ...ended({ ...payout, ...attempts }, 'rejected', what) };
}

/** The decision to send it does not count any more: a complete scan has to come first. */
export function undecided(payout: Payout, also: Partial<Attempt> = {}): PayoutChange {
  return { ...withLatest(payout, { decidedAt: 0, ...also }), provenAt: 0 };
}

/** What has not come about by its deadline, while money is expected to move; it is said once. */
export function atDeadline(
  { attempts, overdueFrom }: Payout,
  { isMoving, now, status }: { isMoving: boolean; now: number; status: string },
): PayoutChange {
  if (!isMoving) return { overdue: null };
  if (now < (overdueFrom ?? Infinity)) return {};
  const doubts = attempts
    .filter(({ isContradicted }) => isContradicted)
    .map(({ number }) => contradiction(number));
  const overdue = [`The payout is still ${status} after its deadline.`, ...doubts].join(' ');
  return { overdueFrom: null, overdue };
}

/** What changes of an attempt by a status that the service itself has shown. */
export function shownOf(payout: Payout, attempt: Attempt, status: string): Partial<Attempt> {
  if (status === attempt.status) return {};
  const failedForGood =
    attempt.status === 'error' && (payout.abandoned || attempt.number !== latestOf(payout).number);
  const error = provenFailed({ ...attempt, status }) ? 'The service shows the payout as failed.' : null;
  return {
    status,
    error,
    wasDone: attempt.wasDone || status === 'done',
    ...(status === 'done' && { replaced: false }),
    revived: status !== 'error' && (attempt.revived === true || failedForGood),
  };
}

function withLatest({ attempts }: Payout, changes: Partial<Attempt>): Pick<Payout, 'attempts'> {
  const last = attempts.length - 1;
  return {
    attempts: attempts.map((attempt, index) => (index === last ? { ...attempt, ...changes } : attempt)),
  };
}

function ended(payout: Payout, end: PayoutEnd, what: string): PayoutChange {
  return { ...withLatest(payout, { phase: 'never_sent' }), end, closed: true, what };
}
