import { randomUUID } from 'node:crypto';
import type { DestinationStream } from 'pino';
import {
  CommandPendingError,
  CommandRefusedError,
  InvalidRequestError,
  isConflict,
  isNotFound,
  TemporalUnavailableError,
} from '../client/errors.js';
import { moneyOfState, type MoneyOf } from '../domain/masked-payee.js';
import { hashAfter } from './chain.js';
import { standardOutput } from './output.js';

/** One line of the audit stream: who, from where, did what to which payment, with what outcome, for whom and how much. */
export type AuditEntry = MoneyOf & {
  /** The name of the API key, or of the Nexus caller; null when no key matched, or a workflow does not know it. */
  readonly key: string | null;
  /** From where; `nexus` when it came by Nexus, `temporal` when a workflow reports what came to it. */
  readonly address: string;
  readonly command: string;
  readonly workflow_id?: string;
  readonly outcome: string;
  /** Of how many refusals or decodings it is the sum; absent when of one. */
  readonly times?: number;
};

export type AuditLog = (entry: AuditEntry) => void;

/**
 * The audit stream: a JSON line an entry to standard output, whatever LOG_LEVEL is. `stream` distinguishes its lines from
 * those of the log. Written at once while somebody reads, so that a crash loses none. Each stream of a process is a `chain` of
 * its own, whose lines are numbered from 1 and hashed with the line before: `auditFaults` sees one that was lost or changed.
 */
export function createAuditLog(destination: DestinationStream = standardOutput().audit): AuditLog {
  const chain = randomUUID();
  let n = 0;
  let hash: string = chain;
  return (entry) => {
    n += 1;
    const line = JSON.stringify({ stream: 'audit', time: new Date().toISOString(), chain, n, ...entry });
    hash = hashAfter(hash, line);
    destination.write(`${line.slice(0, -1)},"hash":"${hash}"}\n`);
  };
}

/** What an error means for the one who reads the audit stream. */
export function outcomeOf(error: unknown): string {
  if (error instanceof CommandPendingError) return 'taken';
  if (error instanceof CommandRefusedError) return `refused: ${error.reason}`;
  if (isConflict(error)) return `conflict: ${error.difference}`;
  if (isNotFound(error)) return 'not found';
  if (error instanceof InvalidRequestError) return 'invalid';
  // The start or command may have been taken all the same.
  return error instanceof TemporalUnavailableError ? 'unknown' : 'failed';
}

/** Acts, and writes down what came of it. @throws what `act` throws */
export async function audited<Answer>(
  write: (entry: Omit<AuditEntry, 'key' | 'address'>) => void,
  about: Pick<AuditEntry, 'command' | 'workflow_id'> & MoneyOf,
  act: () => Promise<Answer>,
  outcomes: { readonly of: (answer: Answer) => string; readonly ofError: (error: unknown) => string },
): Promise<Answer> {
  try {
    const answer = await act();
    write({ ...about, ...moneyOfState(answer, about.command), outcome: outcomes.of(answer) });
    return answer;
  } catch (error) {
    write({ ...about, outcome: outcomes.ofError(error) });
    throw error;
  }
}
