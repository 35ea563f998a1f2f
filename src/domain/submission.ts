import { delayAt, resendDelaysMs } from './cadence.js';
import { creatingActivity } from './call-limits.js';
import type { Called } from './called.js';
import type { PayoutShown } from './misfit.js';
import { asRecord } from './records.js';

/** What a creating call showed by its own read, and when: an ISO time of the worker's clock. */
export type ReadByCall = { readonly shown: PayoutShown; readonly read_at: string };

/** When a call made its own read, by its worker's clock as far as that can be: within the time of the call. */
export function readDuring(statedAt: string, begunAt: number, endedAt: number): number {
  const at = Date.parse(statedAt);
  return Number.isNaN(at) ? endedAt : Math.min(Math.max(at, begunAt), endedAt);
}

/**
 * The outcome of a creating call. A creating activity returns it and never throws: whether something was sent is a fact
 * that the workflow decides upon, not an error to retry.
 */
export type CreationOutcome =
  | {
      outcome: 'answered';
      service_id: string | null;
      status: string | null;
      /** The whole answer, bounded and without card data, of calls whose answer is undocumented. */
      answer?: Record<string, unknown> | null;
      /** The last read of a payout that the call lingered for. */
      read?: ReadByCall;
    }
  | { outcome: 'not_sent'; reason: string }
  /** Nothing was sent: the decision is too old to be followed without a complete scan (payouts). */
  | { outcome: 'scan_first'; reason: string }
  | { outcome: 'refused'; reason: string; http_status: number }
  | { outcome: 'unauthorized'; reason: string; token_generation: number }
  | { outcome: 'throttled'; reason: string; retry_after_ms: number | null }
  /** `dispatched_before`: Temporal ran the activity again, or in a reset run, and it sent nothing this time. */
  | { outcome: 'unknown'; reason: string; dispatched_before?: true }
  | { outcome: 'invalid_input'; problems: { field: string; message: string }[] }
  /** The card store does not hold the card any more; nothing was sent. */
  | { outcome: 'card_gone'; reason: string };

/** How often a call was tried that surely did nothing, since when, and when it is due again. */
export type SubmissionState = {
  tries: number;
  /** The token generation that the service rejected in the previous try. */
  rejectedGeneration: number | null;
  /** When to send: milliseconds since the epoch. */
  at: number;
  /** When the first try was due. */
  since: number;
  /** What keeps it from being sent, once that has lasted for an hour; null before. */
  unsent: string | null;
  /** The service has answered a try that it did nothing: its word alone, unless a read confirms it. */
  wasAnswered: boolean;
  /** A try ended without an answer and without the mark: nothing was sent, unless Temporal itself has lost the mark. */
  endedUnmarked: boolean;
  /** No worker has taken the latest try: it waits for its turn, and is not due at any time. */
  inLine: boolean;
};

/** What is known of earlier tries only by the word of the service, or of Temporal. */
export type Unproven = Partial<Pick<SubmissionState, 'wasAnswered' | 'endedUnmarked'>>;

/** A call that is due now, as if none had been made. @param earlier the calls before it */
export function newSubmission(
  now: number,
  { wasAnswered = false, endedUnmarked = false }: Unproven = {},
): SubmissionState {
  const at = { at: now, since: now };
  return {
    tries: 0,
    rejectedGeneration: null,
    ...at,
    unsent: null,
    wasAnswered,
    endedUnmarked,
    inLine: false,
  };
}

/** What a lifecycle may do after it has made a creating call. */
export type Submitted =
  | {
      kind: 'answered';
      serviceId: string | null;
      status: string | null;
      answer: Record<string, unknown> | null;
      read: ReadByCall | null;
    }
  /** Nothing was sent, or the service answered that it did nothing: the same call may be made again then. */
  | { kind: 'again'; state: SubmissionState; reason: string; nothingBy: 'not_sent' | 'answer' }
  /** Nothing was sent: a complete scan that does not hold the payout has to come first. */
  | { kind: 'scan_first'; reason: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'invalid'; reason: string }
  | { kind: 'card_gone'; reason: string }
  /** It may have happened. Before `verifyFrom` the call itself may still be under way. */
  | { kind: 'unknown'; reason: string; verifyFrom: number; runWasReset: boolean };

/** When it is due. One that waits for its turn is due once, after an hour, for an operator to be informed. */
export function submissionDueAt({ at, inLine, since, unsent }: SubmissionState, scale: number): number {
  if (!inLine) return at;
  return unsent === null ? since + unsentAttentionMs * scale : Infinity;
}

/** The submission once its turn has come. */
export function dueNow(state: SubmissionState, now: number): SubmissionState {
  return { ...state, at: now, inLine: false };
}

/** It waits for its turn: nothing was sent. */
export function waitsForTurn(state: SubmissionState): Submitted {
  const reason = 'No worker took it in time: more calls wait than the workers, or their pace, let through.';
  return { kind: 'again', nothingBy: 'not_sent', reason, state };
}

type Time = { readonly now: number; readonly scale: number };

/**
 * What may follow a creating call. It records the mark right before its first byte, so that one which ended without an
 * answer and without the mark has sent nothing, by Temporal's own record. With the mark it may have had its effect.
 */
export function submitted(
  called: Called<CreationOutcome>,
  state: SubmissionState,
  { now, scale, withCard }: Time & { readonly withCard: boolean },
): Submitted {
  const { tookMs } = called;
  if (called.kind === 'completed') return afterOutcome(called.result, state, now, scale);
  if (called.kind === 'timed_out') {
    const answered = answeredBefore(called.heartbeat);
    if (answered !== undefined) return afterOutcome(answered, state, now, scale);
    if (called.heartbeat === undefined && isFirstDispatch(called)) {
      if (called.how === 'never_started') {
        return withCard
          ? { kind: 'card_gone', reason: 'The gateway that held the card is gone.' }
          : waitsForTurn({ ...state, endedUnmarked: true, inLine: true });
      }
      const reason = 'The worker that had the call ended before it sent anything.';
      return afterOutcome({ outcome: 'not_sent', reason }, { ...state, endedUnmarked: true }, now, scale);
    }
  }
  const reason = 'The worker that made the call gave no answer.';
  const verifyFrom = now + Math.max(0, creatingActivity.startToCloseMs - tookMs);
  return { kind: 'unknown', reason, verifyFrom, runWasReset: false };
}

/**
 * Whether it was the first dispatch that timed out. An operator's reset dispatches an activity again, and may remove its
 * heartbeats, but not before the first dispatch has timed out.
 */
export function isFirstDispatch({ how, tookMs }: { how: string; tookMs: number }): boolean {
  const { scheduleToStartMs, startToCloseMs } = creatingActivity;
  return tookMs < startToCloseMs + (how === 'never_started' ? scheduleToStartMs : startToCloseMs);
}

/** What may follow an outcome. A status code is no proof: what may confirm it is looked at before the call is made again. */
export function afterOutcome(
  outcome: CreationOutcome,
  state: SubmissionState,
  now: number,
  scale: number,
): Submitted {
  const unknown = (reason: string, runWasReset = false): Submitted => ({
    kind: 'unknown',
    reason,
    verifyFrom: now,
    runWasReset,
  });
  const again = (
    nothingBy: 'not_sent' | 'answer',
    reason: string,
    { waitMs = 0, rejectedGeneration = state.rejectedGeneration } = {},
  ): Submitted => ({
    ...{ kind: 'again', nothingBy, reason },
    state: {
      ...state,
      tries: state.tries + 1,
      rejectedGeneration,
      at: now + Math.max(delayAt(resendDelaysMs, state.tries), waitMs) * scale,
      wasAnswered: state.wasAnswered || nothingBy === 'answer',
      inLine: false,
    },
  });
  switch (outcome.outcome) {
    case 'answered': {
      const { service_id: serviceId, status, answer = null, read = null } = outcome;
      return { kind: 'answered', serviceId, status, answer, read };
    }
    case 'not_sent':
      return again('not_sent', outcome.reason);
    case 'unauthorized':
      return again('answer', outcome.reason, { rejectedGeneration: outcome.token_generation });
    case 'throttled':
      return again('answer', outcome.reason, { waitMs: outcome.retry_after_ms ?? 0 });
    case 'scan_first':
    case 'refused':
    case 'card_gone':
      return { kind: outcome.outcome, reason: outcome.reason };
    case 'invalid_input':
      return { kind: 'invalid', reason: describeProblems(outcome.problems) };
    case 'unknown':
      return unknown(outcome.reason, outcome.dispatched_before === true);
    default:
      // A worker of a newer release may answer a kind that this one does not know.
      return unknown('The worker gave an answer of an unknown kind.');
  }
}

/** What the service had answered an earlier dispatch of a call, by the heartbeat of that; undefined when nothing. */
export function answeredBefore(heartbeat: unknown): CreationOutcome | undefined {
  const { outcome, service_id, status } = asRecord(heartbeat);
  if (outcome !== 'answered' || typeof service_id !== 'string') return undefined;
  return { outcome, service_id, status: typeof status === 'string' ? status : null };
}

/** The faults of a request in one line. */
export function describeProblems(problems: readonly { field: string; message: string }[]): string {
  return problems.map(({ field, message }) => `${field} ${message}`).join('; ');
}

/** After so long without anything that could be sent, an operator is asked. */
export const unsentAttentionMs = 60 * 60_000;
