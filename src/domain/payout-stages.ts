import { isSettled, provenFailed, type Attempt } from './payout-attempts.js';
import type { StageTable } from './stage-table.js';

/** What a payout does now, and which commands it takes while it does. */
export const payoutStages = {
  /** Has the account of the payee validated. */
  validate: ['abandonPayout', 'cancel'],
  /** Sends its latest attempt. */
  submit: ['abandonPayout', 'cancel'],
  /** Looks by scans whether the latest attempt was taken. */
  verify: [],
  /** Waits for an operator to find out about an unknown outcome. */
  resolve: ['resolveSubmission'],
  /** Reads an identifier that no read finds: it may be the wrong one, or the payout may have moved to another one. */
  find: ['resolveSubmission'],
  /** Reads what moves. */
  follow: [],
  /** Waits for a decision, since every attempt has failed. */
  decide: ['retryPayout', 'abandonPayout'],
  /** The same, of one that no read finds: it may have moved to another identifier. */
  decide_unread: ['retryPayout', 'abandonPayout', 'resolveSubmission'],
  /** Reads what is settled, rarely. */
  watch: [],
  closed: [],
} as const satisfies StageTable;

export type PayoutStage = keyof typeof payoutStages;

/**
 * @param awaitsAccount the first attempt is not sent before the account of the payee is validated
 * @param unread no read has worked for so long that it needs an operator
 */
export function payoutStage(
  attempts: readonly Attempt[],
  { abandoned = false, awaitsAccount = false, closed = false, unread = false } = {},
): PayoutStage {
  const latest = attempts.at(-1);
  if (closed) return 'closed';
  switch (latest?.phase) {
    case undefined:
    case 'to_send':
      return awaitsAccount ? 'validate' : 'submit';
    case 'verifying':
      return 'verify';
    case 'unknown':
      return 'resolve';
    case 'known':
    case 'refused':
    case 'never_sent':
    case 'not_paid':
      return stageSent(attempts, latest, { abandoned, unread: unread && latest.phase === 'known' });
  }
}

function stageSent(
  attempts: readonly Attempt[],
  latest: Attempt,
  { abandoned, unread }: { abandoned: boolean; unread: boolean },
): PayoutStage {
  if (!isSettled(attempts)) return isFound(latest) && !unread ? 'follow' : 'find';
  if (!abandoned && attempts.every(provenFailed)) return unread ? 'decide_unread' : 'decide';
  return unread ? 'find' : 'watch';
}

/** Whether every attempt has failed and an operator decides. */
export function awaitsDecision(stage: PayoutStage): boolean {
  return stage === 'decide' || stage === 'decide_unread';
}

/** Whether a read has shown an attempt by its identifier, or nothing has to be found of it any more. */
function isFound(attempt: Attempt): boolean {
  return attempt.wasRead || isSettled([attempt]);
}

/** Whether nothing of the latest attempt was sent. */
export function isUnsent(stage: PayoutStage): boolean {
  return stage === 'validate' || stage === 'submit';
}
