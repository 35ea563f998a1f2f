import { ApplicationFailure } from '@temporalio/common';
import { HandlerError, type HandlerErrorType } from 'nexus-rpc';
import {
  CommandPendingError,
  CommandRefusedError,
  InvalidRequestError,
  isConflict,
  isNotFound,
  PaymentConflictError,
  StateLostError,
  TemporalUnavailableError,
} from '../client/errors.js';
import { withoutLongDigits } from '../contract/problems.js';

/** What a caller finds as cause of the error: `type` as the problems of the HTTP API have it, and what belongs to it. */
type Problem = { readonly type: string; readonly message: string; readonly details?: object };

/**
 * The error that an operation answers to whatever was thrown. Nothing of the request goes into it, so that it is
 * readable without a codec.
 *
 * Only `UNAVAILABLE` and `INTERNAL` are retried by Temporal. A conflict and a refused command are `BAD_REQUEST`:
 * server 1.29.1 does not know `CONFLICT`, and would retry it.
 */
export function toHandlerError(error: unknown): HandlerError {
  if (error instanceof HandlerError) return error;
  if (error instanceof InvalidRequestError) {
    const { message, problems: errors } = error;
    return refusal('BAD_REQUEST', { type: 'invalid-request', message, details: { errors } });
  }
  if (isConflict(error)) {
    const { message, difference } = error;
    const fields = error instanceof PaymentConflictError ? error.fields : [];
    return refusal('BAD_REQUEST', { type: 'conflict', message, details: { difference, fields } });
  }
  if (isNotFound(error)) return refusal('NOT_FOUND', { type: 'not-found', message: error.message });
  if (error instanceof CommandPendingError || isNotTaken(error)) {
    return new HandlerError('UNAVAILABLE', `${error.message} The operation is tried again.`);
  }
  if (error instanceof CommandRefusedError) {
    const message = withoutLongDigits(error.message);
    return refusal('BAD_REQUEST', { type: 'command-refused', message, details: { reason: error.reason } });
  }
  if (error instanceof StateLostError) {
    return refusal('NOT_FOUND', { type: 'state-lost', message: error.message });
  }
  return error instanceof TemporalUnavailableError
    ? new HandlerError('UNAVAILABLE', 'Temporal did not answer in time. The operation is tried again.')
    : new HandlerError('INTERNAL', 'Something went wrong inside. The operation is tried again.');
}

/** No worker has taken the command in time. The operation lasts, so that it is sent again. */
function isNotTaken(error: unknown): error is CommandRefusedError {
  return error instanceof CommandRefusedError && error.reason === 'NotTakenInTime';
}

function refusal(errorType: HandlerErrorType, { type, message, details }: Problem): HandlerError {
  const cause = ApplicationFailure.create({
    ...{ type, message, nonRetryable: true },
    category: 'BENIGN',
    ...(details === undefined ? {} : { details: [details] }),
  });
  // Where in our code it was made is nothing for the caller.
  cause.stack = '';
  return new HandlerError(errorType, message, { cause, retryableOverride: false });
}
