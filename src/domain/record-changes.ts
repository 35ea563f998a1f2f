import type { Attention } from './attention.js';
import {
  joined,
  reasonsOf,
  stillAcknowledged,
  stillToSee,
  unacknowledged,
  without,
  type Conclusions,
} from './conclusions.js';
import type { ReadCause, RecordData } from './payment-record.js';
import { withLine, type Operator } from './timeline.js';

/** No read worked for so long: an operator is asked. */
const unreadableAttentionMs = 60 * 60_000;

/** One more line in the timeline. */
export function noted(record: RecordData, what: string, now: number, operator?: Operator): RecordData {
  return { ...record, timeline: withLine(record.timeline, what, now, operator), updatedAt: now };
}

/**
 * Shows what follows from all that is known: a status, and why an operator is needed, but for what was acknowledged.
 *
 * @param what happened, for the timeline, where it has changed the status; '' for nothing to be said
 */
export function concluded(
  record: RecordData,
  { cause = null, needs, status }: Conclusions,
  { operator, now, what }: { what: string; now: number; operator?: Operator | undefined },
): RecordData {
  const isNew = status !== record.status;
  const shown = { ...record, cause, ...(isNew && { status, changedAt: now }) };
  const acknowledged = stillAcknowledged(record.acknowledged, needs);
  const toSee = stillToSee(record.needs, unacknowledged(needs, acknowledged));
  const asked = reasonsOf(toSee).filter(
    ([attention, reason]) => record.needs[attention]?.includes(reason) !== true,
  );
  const isFewer = reasonsOf(record.needs).length > reasonsOf(toSee).length;
  return asked.reduce(
    (sofar, [attention, reason]) => noted(sofar, `Needs an operator (${attention}): ${reason}`, now),
    {
      ...(isNew && what !== '' ? noted(shown, what, now, operator) : shown),
      acknowledged,
      needs: toSee,
      ...(isFewer && { updatedAt: now }),
    },
  );
}

/** An operator has dealt with why one was needed. */
export function acknowledgedAs(record: RecordData, attention: Attention): RecordData {
  return {
    ...record,
    acknowledged: joined(record.acknowledged, { [attention]: record.needs[attention] }),
    needs: without(record.needs, attention),
  };
}

/** An operator has accepted one more amount that the service may show. */
export function accepting(record: RecordData, centavos: number): RecordData {
  const accepted = record.acceptedCentavos ?? [];
  return accepted.includes(centavos) ? record : { ...record, acceptedCentavos: [...accepted, centavos] };
}

/** A read worked; `status` is what it showed. */
export function readAs(record: RecordData, lastRead: NonNullable<RecordData['lastRead']>): RecordData {
  return { ...record, lastRead, unreadableSince: null, unreadable: null };
}

/** A read did not work; after an hour of such reads an operator is needed. */
export function notRead(
  record: RecordData,
  { cause, why }: { cause: ReadCause; why: string },
  now: number,
  scale: number,
): RecordData {
  const unreadableSince = record.unreadableSince ?? now;
  const isLong = now >= unreadableSince + unreadableAttentionMs * scale;
  return {
    ...record,
    lastRead: { at: now, cause, status: null },
    unreadableSince,
    ...(isLong && { unreadable: `No read has worked for an hour. ${why}` }),
  };
}

/** A run came about by a reset. What was shown and acknowledged in the time that it took back is not known. */
export function afterReset(record: RecordData, runId: string): RecordData {
  return {
    ...record,
    resetRunId: runId,
    acknowledged: without(record.acknowledged, 'inconsistent_answer'),
  };
}
