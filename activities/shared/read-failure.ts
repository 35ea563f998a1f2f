import { ApplicationFailure } from '@temporalio/activity';
import type { ReadFailureType } from '../../src/domain/read-failures.js';
import type { Endpoint } from '../../src/domain/retry-table.js';
import type { ServiceFailure } from '../../src/payments-service/result.js';

/** What a reading activity throws: what happened in our words only, and when to try again if the service gave a time. */
export function readFailure(endpoint: Endpoint, failure: ServiceFailure): ApplicationFailure {
  const retryAfterMs = failure.outcome === 'throttled' ? failure.retryAfterMs : null;
  return ApplicationFailure.create({
    type: typeOf(failure),
    message: `${endpoint}: ${failure.reason}`,
    nonRetryable: false,
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
