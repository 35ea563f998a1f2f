import { classOfHttpStatus } from '../domain/outcome-classes.js';
import type { Exchange } from './exchange.js';
import { parseJson } from '../domain/parse-json.js';
import type { ServiceFailure, ServiceResult } from './result.js';
import { retryAfterMs } from './retry-after.js';
import type { Secrets } from './secrets.js';
import { serviceWords } from './service-words.js';

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
    case 'unreadable':
      return { outcome: 'unknown', reason: exchange.reason, httpStatus: null };
    case 'answer':
      return successes.includes(exchange.status) ? success(exchange, reading) : failure(exchange, reading);
  }
}

type Answer = Extract<Exchange, { kind: 'answer' }>;

function success<Value>({ status, body, fault }: Answer, { read }: Reading<Value>): ServiceResult<Value> {
  const unusable = (what: string): ServiceFailure => ({
    outcome: 'unknown',
    reason: `The service answered ${String(status)}, but ${what}.`,
    httpStatus: status,
  });
  if (fault !== undefined) return unusable(`its answer could not be read: ${fault}`);
  if (body === undefined) return unusable('its answer broke off or was too large');
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

function failure({ status, retryAfter, body, fault }: Answer, reading: Reading<unknown>): ServiceFailure {
  const words = serviceWords(body, reading.secrets);
  const outcome = classOfHttpStatus(status, reading.tokenIsNew, words);
  // What can't be read may say that this was taken before; of a token it says nothing more.
  if (body === undefined && status !== 401 && status !== 403) {
    const why = fault ?? 'it broke off or was too large';
    const what = `The service answered ${String(status)}, but its answer could not be read: ${why}.`;
    return { outcome: 'unknown', reason: what, httpStatus: status };
  }
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
