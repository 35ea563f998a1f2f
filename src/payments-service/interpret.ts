import { classOfHttpStatus } from '../domain/outcome-classes.js';
import type { Exchange } from './exchange.js';
import { parseJson } from '../domain/parse-json.js';
import type { ServiceFailure, ServiceResult } from './result.js';
import { retryAfterMs } from './retry-after.js';
import type { Secrets } from './secrets.js';
import { everythingIn, serviceWords } from './service-words.js';

export type Reading<Value> = {
  tokenIsNew: boolean;
  secrets: Secrets;
  /** Reads the JSON of a success, or undefined for an empty one; answers undefined when it is not usable. */
  read: (body: unknown) => Value | undefined;
};

const successes: readonly number[] = [200, 201, 202, 204];

/** The class of an exchange, and what its answer contains. */
export function interpret<Value>(exchange: Exchange, reading: Reading<Value>): ServiceResult<Value> {
  switch (exchange.kind) {
    case 'not_sent':
      return { outcome: 'not_sent', reason: exchange.reason };
    case 'lost':
      return {
        outcome: 'unknown',
        reason: `The service gave no answer. ${exchange.reason}`,
        httpStatus: null,
      };
    case 'unreadable': {
      const { reason, status } = exchange;
      // Its words may say that this was taken before; of a token they say nothing more.
      if (status === 401 || status === 403)
        return failure({ kind: 'answer', status, retryAfter: undefined, body: '' }, reading);
      return { outcome: 'unknown', reason, httpStatus: status };
    }
    case 'answer':
      return successes.includes(exchange.status) ? success(exchange, reading) : failure(exchange, reading);
  }
}

type Answer = Extract<Exchange, { kind: 'answer' }>;

function success<Value>({ status, body }: Answer, { read }: Reading<Value>): ServiceResult<Value> {
  const unusable = (what: string): ServiceFailure => ({
    outcome: 'unknown',
    reason: `The service answered ${String(status)}, but ${what}.`,
    httpStatus: status,
  });
  let json: unknown;
  try {
    json = body.trim() === '' ? undefined : parseJson(body);
  } catch {
    return unusable('its answer is not JSON');
  }
  const value = read(json);
  return value === undefined
    ? unusable('its answer lacks what it must hold')
    : { outcome: 'answered', value };
}

function failure({ status, retryAfter, body }: Answer, reading: Reading<unknown>): ServiceFailure {
  const words = serviceWords(body, reading.secrets);
  const outcome = classOfHttpStatus(status, reading.tokenIsNew, everythingIn(body));
  const reason = `The service answered ${String(status)}.`;
  const described = { reason, ...(words !== undefined && { words }) };
  switch (outcome) {
    case 'refused':
    case 'unauthorized':
    case 'unknown':
      return { ...described, outcome, httpStatus: status };
    case 'throttled':
      return { ...described, outcome, retryAfterMs: retryAfterMs(retryAfter, Date.now()) };
    case 'not_sent':
      return { ...described, outcome };
  }
}
