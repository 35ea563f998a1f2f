import {
  CommandPendingError,
  CommandRefusedError,
  InvalidRequestError,
  isConflict,
  isNotFound,
  TemporalUnavailableError,
} from '../../client/errors.js';
import { ConfigError } from '../../config.js';
import { printable } from '../../domain/plain-text.js';
import { DataDirInUseError } from '../../dev/embedded-temporal/take-over.js';
import { PayloadKeysError } from '../../health/prove-payload-keys.js';
import { PayloadDecryptionError } from '../../temporal/payload-codec.js';
import { SearchAttributeError } from '../../temporal/search-attributes.js';
import { TemporalUnavailableError as NoTemporalProgramError } from '../../dev/embedded-temporal/locate.js';
import { exitCodes } from './exit-codes.js';

/** Nothing answers where Temporal should be. */
export class NotRunningError extends Error {
  override readonly name = 'NotRunningError';
}

/** What the user wrote can't be used. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Prints what went wrong, and returns the exit code for it. */
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
  const isOtherKey = error instanceof PayloadKeysError || error instanceof PayloadDecryptionError;
  if (error instanceof DataDirInUseError || isOtherKey) return exitCodes.usage;
  if (error instanceof CommandPendingError) return exitCodes.taken;
  if (isConflict(error) || isNotFound(error) || error instanceof CommandRefusedError)
    return exitCodes.refused;
  const unavailable =
    error instanceof TemporalUnavailableError ||
    error instanceof NotRunningError ||
    error instanceof NoTemporalProgramError ||
    error instanceof SearchAttributeError;
  return unavailable ? exitCodes.unavailable : exitCodes.failed;
}
