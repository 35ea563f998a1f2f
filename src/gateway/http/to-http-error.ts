import {
  CommandRefusedError,
  CommandUnboundedError,
  InvalidRequestError,
  isConflict,
  isNotFound,
  ReferenceConflictError,
  StateLostError,
  TasksFailingError,
  TemporalUnavailableError,
  TooManyRunningError,
} from '../../client/errors.js';
import { withoutLongDigits } from '../../contract/problems.js';
import { HttpError, invalidRequest, overloaded, tooManyRequests, unavailable } from './http-error.js';

/** What a route does, as far as its errors have to speak of it. */
export type Purpose = 'start' | 'read' | 'command' | 'postback' | 'other';

const uncertain: Record<Purpose, string> = {
  start:
    'It is not known whether the payment was started. Send the same request again: it starts the payment at most once.',
  read: 'Nothing was changed. Ask again.',
  command:
    'It is not known whether the command was taken. When the state does not show it a minute from now, it was not, ' +
    'and is not taken later: send it again then.',
  postback: 'Send the postback again.',
  other: 'Ask again.',
};

/** The answer to whatever a route or the framework threw. Nothing of the request goes into it. */
export function toHttpError(error: unknown, purpose: Purpose): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof InvalidRequestError) return invalidRequest(error.problems, error.count);
  if (isConflict(error)) {
    const location = error.difference === 'owner' ? undefined : locationOf(error.workflowId);
    const fields = error instanceof ReferenceConflictError ? error.fields : [];
    const errors = fields.map((field) => ({ field, message: 'differs from the request that has this id' }));
    return new HttpError(409, 'conflict', 'Conflict', error.message, {
      ...(location === undefined ? {} : { location }),
      ...(errors.length === 0 ? {} : { errors }),
    });
  }
  if (isNotFound(error)) return new HttpError(404, 'not-found', 'Not found', error.message);
  if (error instanceof TasksFailingError) {
    const again = { retryAfterSeconds: 60 };
    return new HttpError(503, 'tasks-failing', 'Workflow tasks fail', error.message, again);
  }
  if (error instanceof CommandUnboundedError) return unavailable(error.message);
  if (error instanceof TemporalUnavailableError) {
    return unavailable(`Temporal did not answer in time. ${uncertain[purpose]}`);
  }
  if (error instanceof TooManyRunningError) {
    const again = { retryAfterSeconds: 60 };
    return new HttpError(429, 'too-many-requests', 'Too many requests', error.message, again);
  }
  if (error instanceof StateLostError) return new HttpError(500, 'state-lost', 'State lost', error.message);
  if (error instanceof CommandRefusedError) {
    const detail = withoutLongDigits(error.message);
    return new HttpError(409, 'command-refused', 'Command refused', detail, { reason: error.reason });
  }
  return frameworkError(error) ?? (isBrokenOff(error) ? brokenOff() : unexpected(purpose));
}

const locations: readonly [RegExp, (code: string) => string][] = [
  [/^batch-(.+)-\d+$/, (id) => `/v1/payout-batches/${id}`],
  [/^bulk-retry-(.+)$/, (id) => `/v1/bulk-retries/${id}`],
  [/^webhook-resend-(.+)$/, (id) => `/v1/webhook-resends/${id}`],
  [/^payout-(.+)$/, (code) => `/v1/payouts/${code}`],
  [/^order-(.+)$/, (code) => `/v1/orders/${code}`],
  [/^account-validation-(.+)$/, (code) => `/v1/account-validations/${code}`],
];

/** Where a workflow's payment, or its batch, is read. */
export function locationOf(workflowId: string): string | undefined {
  for (const [id, path] of locations) {
    const code = id.exec(workflowId)?.[1];
    if (code !== undefined) return path(code);
  }
  return undefined;
}

/** Its sender has gone, so the answer is for the log and the audit stream alone. */
function isBrokenOff(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && error.code === 'ECONNRESET' && error.message === 'aborted'
  );
}

function brokenOff(): HttpError {
  return invalidRequest([{ field: '(body)', message: 'broke off before its end' }]);
}

function unexpected(purpose: Purpose): HttpError {
  const detail = `Something went wrong inside; its cause is in the log of the gateway. ${uncertain[purpose]}`;
  return new HttpError(500, 'internal', 'Internal error', detail);
}

const ofFramework: Record<number, (code: string) => HttpError> = {
  400: (code) => malformed(code),
  404: () => new HttpError(404, 'not-found', 'Not found', 'There is nothing at this address.'),
  408: () => new HttpError(408, 'timeout', 'Request timeout', 'The request took too long to arrive.'),
  413: () =>
    new HttpError(413, 'too-large', 'Content too large', 'The body is larger than is accepted here.'),
  414: () => new HttpError(414, 'too-long', 'URI too long', 'The address is longer than is accepted here.'),
  415: () => {
    const detail = 'The body must be JSON, sent with Content-Type: application/json.';
    return new HttpError(415, 'unsupported-media-type', 'Unsupported media type', detail);
  },
  429: () => tooManyRequests(),
  503: overloaded,
};

function frameworkError(error: unknown): HttpError | undefined {
  if (typeof error !== 'object' || error === null || !('statusCode' in error)) return undefined;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return ofFramework[Number(error.statusCode)]?.(code);
}

function malformed(code: string): HttpError {
  if (code === 'FST_ERR_BAD_URL') {
    return new HttpError(400, 'invalid-request', 'Invalid request', 'The address is not a valid URL path.');
  }
  const message =
    code === 'FST_ERR_CTP_EMPTY_JSON_BODY'
      ? 'is empty but declared as JSON'
      : 'is no valid JSON, or a header does not fit it';
  return invalidRequest([{ field: '(body)', message }]);
}
