import {
  BatchConflictError,
  BatchNotFoundError,
  CommandRefusedError,
  InvalidRequestError,
  PaymentConflictError,
  PaymentNotFoundError,
  TemporalUnavailableError,
} from '../../client.js';
import { ConfigError } from '../../config.js';
import { printable } from '../../domain/plain-text.js';
import { DataDirInUseError } from '../../dev/embedded-temporal/take-over.js';
import { SearchAttributeError } from '../../temporal/search-attributes.js';
import { TemporalUnavailableError as NoTemporalProgramError } from '../../dev/embedded-temporal/locate.js';

/** What the exit code tells a program; `--help` tells people. */
export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3, unavailable: 4 } as const;

export const exitCodesHelp = `
Exit codes:
  0  done
  1  something failed; the message says what
  2  wrong usage, configuration or request: nothing was done
  3  refused: no such payment, another request under the same code, or a command it can't follow now
  4  Temporal or the workers did not answer: repeat it, a start or a read is safe to repeat

Configuration comes from the environment, the same as for the other processes; beside a running
\`durable-payments start\` none is needed (DATA_DIR says where its data is, .data by default).`;

/** Nothing answers where Temporal should be. */
export class NotRunningError extends Error {
  override readonly name = 'NotRunningError';
}

/** What the user wrote can't be used. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Tells a person what went wrong, and answers the exit code for it. */
export function explain(error: unknown): number {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const unexpected = code === exitCodes.failed && error instanceof Error;
  console.error(printable(unexpected ? (error.stack ?? message) : message));
  if (error instanceof InvalidRequestError) console.error('Nothing was started and no money moves.');
  return code;
}

function codeOf(error: unknown): number {
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof InvalidRequestError) {
    return exitCodes.usage;
  }
  if (error instanceof DataDirInUseError) return exitCodes.usage;
  if (
    error instanceof BatchConflictError ||
    error instanceof BatchNotFoundError ||
    error instanceof CommandRefusedError ||
    error instanceof PaymentConflictError ||
    error instanceof PaymentNotFoundError
  ) {
    return exitCodes.refused;
  }
  const unavailable =
    error instanceof TemporalUnavailableError ||
    error instanceof NotRunningError ||
    error instanceof NoTemporalProgramError ||
    error instanceof SearchAttributeError;
  return unavailable ? exitCodes.unavailable : exitCodes.failed;
}
