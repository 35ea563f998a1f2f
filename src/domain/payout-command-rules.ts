import type { Attempt } from './payout-attempts.js';
import { correctionsProblem, type PayoutMethod } from './payout-corrections.js';
import { Refused, resolutionProblem } from './refused.js';

/** What decides whether a payout takes a command that its stage takes. */
type Payout = {
  latest: Attempt;
  attempts: readonly Attempt[];
  method: PayoutMethod;
};

/** `boundTo` is the attempt that was the latest when the command came in. */
type Retry = {
  attempt?: number | undefined;
  boundTo?: number | undefined;
  bulk_retry_id?: string | undefined;
  corrections?: unknown;
};
type Resolution = Parameters<typeof resolutionProblem>[0];

/** Why a payout can't be retried in this way; undefined when it can. */
export function retryRefusal(payout: Payout, retry: Retry): Refused | undefined {
  const { attempt, boundTo, bulk_retry_id: bulkRetryId, corrections } = retry;
  const latest = String(payout.latest.number);
  const isMeantAlone = attempt !== undefined && bulkRetryId === undefined;
  const unnamed = isMeantAlone ? undefined : unnamedRetryRefusal(payout.attempts);
  if (unnamed !== undefined) return unnamed;
  const problem = correctionsProblem(corrections, payout.method);
  if (problem !== undefined) return new Refused('InvalidMessage', problem);
  const meant = attempt ?? boundTo ?? payout.latest.number;
  return meant === payout.latest.number
    ? undefined
    : new Refused('WrongAttempt', `The latest attempt is number ${latest}, not ${String(meant)}.`);
}

/**
 * A retry that names no attempt, or that is one of thousands, never overrides what an operator has to look at first: why
 * it is refused; undefined when it is not.
 */
export function unnamedRetryRefusal(attempts: readonly Attempt[]): Refused | undefined {
  const why = whyItMustBeNamed(attempts);
  if (why === undefined) return undefined;
  const latest = String(attempts.at(-1)?.number);
  const what = `${why} When it is still owed, name the latest attempt: attempt ${latest}.`;
  return new Refused('DecisionNeeded', what);
}

/** What a retry has to hold to be taken, beside who decided it and why; null when nothing. */
export function retryRequires({ attempts, latest }: Pick<Payout, 'attempts' | 'latest'>) {
  return unnamedRetryRefusal(attempts) === undefined ? null : { attempt: latest.number };
}

/** Why an operator's finding does not apply; undefined when it does. */
export function resolveRefusal({ latest }: Pick<Payout, 'latest'>, found: Resolution): Refused | undefined {
  const problem = resolutionProblem(found);
  const isShown = latest.listed === true || (latest.phase === 'known' && latest.wasRead);
  if (problem !== undefined || found.nothing_happened !== true || !isShown) return problem;
  return new Refused(
    'InvalidMessage',
    'The service has shown this payout, so something has happened. Give its service_id. Nothing was changed.',
  );
}

function whyItMustBeNamed(attempts: readonly Attempt[]): string | undefined {
  const returned = attempts.find(({ wasDone }) => wasDone);
  if (returned !== undefined) return `Attempt ${String(returned.number)} was done before it failed.`;
  switch (stoppedBy(attempts)) {
    case 'account_invalid':
      return 'The validation spoke against the account.';
    case 'corrections':
      return 'The last corrections were not usable.';
    case undefined:
      return undefined;
  }
}

/** What stopped the payout since an attempt was last sent; one that was withdrawn unsent has settled nothing. */
function stoppedBy(attempts: readonly Attempt[]): Attempt['stopped'] {
  const sent = attempts.findLastIndex(({ phase }) => phase !== 'never_sent');
  return attempts.slice(sent + 1).findLast(({ stopped }) => stopped !== undefined)?.stopped;
}
