/** What is known about a call to the service after it ended, and so what may follow. */
export type OutcomeClass = 'not_sent' | 'refused' | 'unauthorized' | 'throttled' | 'unknown';

/** Statuses by which the service states that it understood the request and did nothing. */
const refusals: readonly number[] = [400, 404, 405, 413, 415, 422, 501];

/**
 * The class of an HTTP status that is no success. Everything not listed is unknown: it may have happened.
 *
 * @param tokenIsNew the token was issued after the service rejected the one before, so a further 401 or 403
 * speaks of the request and not of the token.
 */
export function classOfHttpStatus(status: number, tokenIsNew: boolean): OutcomeClass {
  if (status === 401 || status === 403) return tokenIsNew ? 'refused' : 'unauthorized';
  if (status === 429) return 'throttled';
  return refusals.includes(status) ? 'refused' : 'unknown';
}

/** Whether the class proves that the call did nothing, so that it may be sent again without any check. */
export function provesNothingHappened(outcome: OutcomeClass): boolean {
  return outcome === 'not_sent' || outcome === 'unauthorized' || outcome === 'throttled';
}
