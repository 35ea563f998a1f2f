import { ActivityFailure, TimeoutFailure, workflowInfo } from '@temporalio/workflow';
import type { CreationOutcome, DetailedCreationOutcome, SendOnceInput } from '../../src/contract/outcomes.js';
import type { FieldProblem } from '../../src/contract/problems.js';
import {
  cardDeskScheduleToStartMs,
  creatingActivity,
  scheduleToStartSlackMs,
} from '../../src/domain/call-limits.js';
import { delayAt, resendDelaysMs } from '../../src/domain/cadence.js';

/** How often a call that surely did nothing was tried, and what the service said of the token. */
export type SubmissionState = { tries: number; rejectedGeneration: number | null };

export const newSubmission: SubmissionState = { tries: 0, rejectedGeneration: null };

/** Whether a call was decided upon and not tried yet. */
export function isUntried({ tries }: SubmissionState): boolean {
  return tries === 0;
}

/** What a workflow may do after it has sent something once. */
export type Submitted =
  | {
      kind: 'answered';
      serviceId: string | null;
      status: string | null;
      /** The whole answer, of calls whose answer is undocumented. */
      answer: Record<string, unknown> | null;
    }
  /** Surely nothing happened: the same call may be made again then. */
  | { kind: 'again'; state: SubmissionState; at: number; reason: string }
  | { kind: 'refused'; reason: string }
  | { kind: 'invalid'; problems: FieldProblem[] }
  | { kind: 'card_gone'; reason: string }
  /** It may have happened. Before `verifyFrom` the call itself may still be under way. */
  | { kind: 'unknown'; reason: string; verifyFrom: number; dispatchedBefore: boolean };

/**
 * Calls a creating activity once and turns whatever becomes of it into what may follow. Nothing but a proof that
 * the call did nothing ever leads to `again`.
 */
export async function sendOnce(
  state: SubmissionState,
  scale: number,
  call: (once: SendOnceInput) => Promise<CreationOutcome | DetailedCreationOutcome>,
): Promise<Submitted> {
  const scheduledAt = Date.now();
  let outcome: CreationOutcome | DetailedCreationOutcome;
  try {
    outcome = await call({
      original_execution_run_id: workflowInfo().originalExecutionRunId,
      rejected_generation: state.rejectedGeneration,
    });
  } catch (error) {
    return withoutAnswer(error, scheduledAt);
  }
  const again = (
    reason: string,
    waitMs: number | null,
    rejectedGeneration = state.rejectedGeneration,
  ): Submitted => ({
    kind: 'again',
    reason,
    state: { tries: state.tries + 1, rejectedGeneration },
    at: Date.now() + Math.max(delayAt(resendDelaysMs, state.tries) * scale, (waitMs ?? 0) * scale),
  });
  switch (outcome.outcome) {
    case 'answered':
      return {
        kind: 'answered',
        serviceId: outcome.service_id,
        status: outcome.status,
        answer: 'answer' in outcome ? outcome.answer : null,
      };
    case 'not_sent':
      return again(outcome.reason, null);
    case 'unauthorized':
      return again(outcome.reason, null, outcome.token_generation);
    case 'throttled':
      return again(outcome.reason, outcome.retry_after_ms);
    case 'refused':
      return { kind: 'refused', reason: outcome.reason };
    case 'invalid_input':
      return { kind: 'invalid', problems: outcome.problems };
    case 'card_gone':
      return { kind: 'card_gone', reason: outcome.reason };
    case 'unknown':
      return {
        kind: 'unknown',
        reason: outcome.reason,
        verifyFrom: Date.now(),
        dispatchedBefore: outcome.dispatched_before === true,
      };
    default:
      return {
        kind: 'unknown',
        reason: 'The worker gave an answer of an unknown kind.',
        verifyFrom: Date.now(),
        dispatchedBefore: false,
      };
  }
}

function withoutAnswer(error: unknown, scheduledAt: number): Submitted {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  const neverStarted =
    cause instanceof TimeoutFailure &&
    cause.timeoutType === 'SCHEDULE_TO_START' &&
    Date.now() < scheduledAt + cardDeskScheduleToStartMs + scheduleToStartSlackMs;
  if (neverStarted) {
    return { kind: 'card_gone', reason: 'The gateway that held the card is gone. Nothing was sent.' };
  }
  const verifyFrom = Math.max(Date.now(), scheduledAt + creatingActivity.startToCloseMs);
  return {
    kind: 'unknown',
    reason: 'The worker that made the call gave no answer.',
    verifyFrom,
    dispatchedBefore: false,
  };
}

/** The faults of an input in one line. */
export function problemsText(problems: FieldProblem[]): string {
  return problems.map(({ field, message }) => `${field} ${message}`).join('; ');
}
