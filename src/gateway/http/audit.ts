import { pino } from 'pino';
import type { DestinationStream } from 'pino';
import {
  BatchConflictError,
  BatchNotFoundError,
  CommandRefusedError,
  InvalidRequestError,
  PaymentConflictError,
  PaymentNotFoundError,
  TemporalUnavailableError,
} from '../../client/errors.js';
import { HttpError } from './http-error.js';

/** One line of the audit stream: who, from where, did what to which payment, with what outcome. */
export type AuditEntry = {
  /** The name of the API key; null when none matched. */
  readonly key: string | null;
  readonly address: string;
  readonly command: string;
  readonly workflow_id?: string;
  readonly outcome: string;
};

export type AuditLog = (entry: AuditEntry) => void;

/**
 * The audit stream: a JSON line an entry to standard output, whatever LOG_LEVEL is. `stream` tells its lines from
 * those of the log. Written at once, so that a crash loses none.
 */
export function createAuditLog(
  destination: DestinationStream = pino.destination({ dest: 1, sync: true }),
): AuditLog {
  const stream = pino(
    {
      level: 'info',
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // All of its lines are of one level, and none is ever left out.
      formatters: { level: () => ({ stream: 'audit' }) },
    },
    destination,
  );
  return (entry) => {
    stream.info(entry);
  };
}

/** What an error means for the one who reads the audit stream. */
export function outcomeOf(error: unknown): string {
  if (error instanceof CommandRefusedError) return `refused: ${error.reason}`;
  if (error instanceof PaymentConflictError || error instanceof BatchConflictError) {
    return `conflict: ${error.difference}`;
  }
  if (error instanceof PaymentNotFoundError || error instanceof BatchNotFoundError) return 'not found';
  if (error instanceof InvalidRequestError) return 'invalid';
  // The start or command may have been taken all the same.
  if (error instanceof TemporalUnavailableError) return 'unknown';
  return error instanceof HttpError ? error.slug : 'failed';
}
