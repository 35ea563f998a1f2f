import { ApplicationFailure } from '@temporalio/activity';
import type { Endpoint } from '../../src/domain/retry-table.js';
import type { ServiceFailure } from '../../src/payments-service/result.js';

/** The types of the failures that reading activities throw. All may be retried: a read changes nothing. */
export type ReadFailureType =
  'NotFound' | 'Refused' | 'Unauthorized' | 'Throttled' | 'NotSent' | 'Unreadable' | 'NoToken';

/** What a reading activity throws: what happened in our words only, and when to try again if the service gave a time. */
export function readFailure(
  endpoint: Endpoint,
  failure: ServiceFailure,
  details: unknown[] = [],
): ApplicationFailure {
  const retryAfterMs = failure.outcome === 'throttled' ? failure.retryAfterMs : null;
  return ApplicationFailure.create({
    type: typeOf(failure),
    message: `${endpoint}: ${failure.reason}`,
    nonRetryable: false,
    details,
    ...(retryAfterMs !== null && { nextRetryDelay: retryAfterMs }),
  });
}

function typeOf(failure: ServiceFailure): ReadFailureType {
  switch (failure.outcome) {
    case 'refused':
      return failure.httpStatus === 404 ? 'NotFound' : 'Refused';
    case 'unauthorized':
      return 'Unauthorized';
    case 'throttled':
      return 'Throttled';
    case 'not_sent':
      return 'NotSent';
    case 'unknown':
      return 'Unreadable';
  }
}
