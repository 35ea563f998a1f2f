import { activityInfo, cancellationSignal, type Info } from '@temporalio/activity';
import type { SendOnceInput } from '../../src/contract/outcomes.js';
import { answeredBefore, type CreationOutcome } from '../../src/domain/submission.js';
import { postbackCapability } from '../../src/contract/postback-capability.js';
import type { CreatingCall } from '../../src/payments-service/payments-service.js';
import type { Creation, ServiceFailure, ServiceResult } from '../../src/payments-service/result.js';
import type { Checked } from './checked.js';
import type { SendingDeps } from './deps.js';
import { isResetRun } from './reset-run.js';
import { sendingWindow } from './sending-window.js';
import { tokenForSending } from './token-for-sending.js';

/** The card store does not hold the card; nothing was sent. */
export type CardGone = Extract<CreationOutcome, { outcome: 'card_gone' }>;

/** One creating call: how its raw input is checked, and what is sent when all guards let it pass. */
export type Sending<Parsed> = {
  check: () => Checked<Parsed>;
  /** Why a complete scan has to come first; undefined when it may be sent. */
  scanFirst?: (nowMs: number) => string | undefined | Promise<string | undefined>;
  /** What is looked at right before it is sent; answers what came of it when nothing may be sent. */
  prove?: (parsed: Parsed) => Promise<CreationOutcome | undefined>;
  /** Not sent after this moment: milliseconds since the epoch. */
  sendBeforeMs?: number;
  send: (
    parsed: Parsed,
    call: CreatingCall,
    notificationUrl: string,
  ) => Promise<ServiceResult<Creation> | CardGone>;
};

/**
 * Sends a creating call at most once, and answers its outcome. Never throws. It sends only on the first dispatch of the
 * activity, in a run that is no reset, and once Temporal's own record says that it is about to send: the mark. Everything
 * that waits stands before the mark, and no other heartbeat, which would overwrite it, until the service has answered. What
 * it had answered an earlier dispatch is answered again, where that was heartbeated.
 */
export async function sendOnce<Parsed>(
  deps: SendingDeps,
  input: SendOnceInput,
  sending: Sending<Parsed>,
): Promise<CreationOutcome> {
  const progress = { mayHaveSent: false };
  try {
    return await guardedSend(deps, input, sending, progress);
  } catch {
    // The error itself may hold what was to be sent.
    return progress.mayHaveSent
      ? { outcome: 'unknown', reason: 'The program failed while the request was under way.' }
      : { outcome: 'not_sent', reason: 'The program failed before anything was sent.' };
  }
}

async function guardedSend<Parsed>(
  deps: SendingDeps,
  input: SendOnceInput,
  sending: Sending<Parsed>,
  progress: { mayHaveSent: boolean },
): Promise<CreationOutcome> {
  const info = activityInfo();
  const refusal = sendingWindow(info, cancellationSignal(), deps.now, sending.sendBeforeMs);

  const repeated = whyNotTheFirstDispatch(info, input);
  if (repeated !== undefined) {
    const unknown = { outcome: 'unknown', reason: repeated, dispatched_before: true } as const;
    return answeredBefore(info.heartbeatDetails) ?? unknown;
  }

  const lost = sending.scanFirst === undefined ? whyPerhapsSentInLostTime(deps, info, input) : undefined;
  if (lost !== undefined) return { outcome: 'unknown', reason: lost };

  const checked = sending.check();
  if ('problems' in checked) return { outcome: 'invalid_input', problems: checked.problems };

  const earlier = await whyAnEarlierRunForbids(deps, info, input);
  if (earlier !== undefined) return earlier;

  const scanFirst = await sending.scanFirst?.(deps.now());
  if (scanFirst !== undefined) return { outcome: 'scan_first', reason: scanFirst };

  const unproven = await sending.prove?.(checked.parsed);
  if (unproven !== undefined) return unproven;

  const token = await tokenForSending(deps.tokens, input.rejected_generation);
  if (token === undefined) return { outcome: 'not_sent', reason: 'There is no access token of the service.' };

  const withheld = refusal() ?? (await deps.markSending(info.taskToken));
  if (withheld !== undefined) return { outcome: 'not_sent', reason: withheld };

  const workflowId = info.workflowExecution?.workflowId ?? '';
  const notificationUrl = `${deps.publicUrl}/postbacks/${postbackCapability(deps.postbackKeys, workflowId)}`;
  const tokenIsNew = input.rejected_generation !== null && token.generation > input.rejected_generation;
  progress.mayHaveSent = true;
  const result = await sending.send(
    checked.parsed,
    { token: token.token, tokenIsNew, refusal },
    notificationUrl,
  );
  if (result.outcome === 'unauthorized') {
    // Not awaited: the renewal may take longer than Temporal waits for this outcome.
    void deps.tokens.reject(token.generation).catch(() => undefined);
  }
  return toOutcome(result, token.generation);
}

/**
 * Operators can have an activity run again, by a reset of it or of its workflow, and it then looks like a first
 * attempt. The previous run may have sent; only these two facts show it.
 */
function whyNotTheFirstDispatch(info: Info, input: SendOnceInput): string | undefined {
  if (isResetRun(info, input.original_execution_run_id)) {
    return 'This run of the workflow is a reset: the run before it may have sent the request.';
  }
  if (info.attempt !== 1 || info.currentAttemptScheduledTimestampMs !== info.scheduledTimestampMs) {
    return 'This activity was dispatched before: that time it may have sent the request.';
  }
  return undefined;
}

/** What a restored Temporal had scheduled may have been sent in the time it has lost. A payout is looked for by a scan. */
function whyPerhapsSentInLostTime(
  { scanBeforeSend, startedAtMs = -Infinity }: SendingDeps,
  { scheduledTimestampMs }: Info,
  { ended_unmarked }: SendOnceInput,
): string | undefined {
  if (scanBeforeSend !== 'always' || (scheduledTimestampMs >= startedAtMs && !ended_unmarked))
    return undefined;
  const what = ended_unmarked ? 'a try before it gave no answer' : 'this task is older than its worker';
  return `SCAN_BEFORE_SEND is always, and ${what}: it may have been sent in the time that Temporal has lost.`;
}

/** Temporal's default reuse policy lets an id be used again once its run is closed: that run may have paid. */
async function whyAnEarlierRunForbids(
  { earlierRun }: SendingDeps,
  { workflowExecution }: Info,
  { rule_out_runs_before: firstRunId }: SendOnceInput,
): Promise<CreationOutcome | undefined> {
  if (firstRunId === null) return undefined;
  const { workflowId = '', runId = '' } = workflowExecution ?? {};
  const found = await earlierRun({ workflowId, runId, firstRunId });
  switch (found) {
    case 'none':
      return undefined;
    case 'found': {
      const message =
        'was used before: an earlier run of it may have moved the money. Nothing was sent by this one.';
      return { outcome: 'invalid_input', problems: [{ field: 'The workflow id', message }] };
    }
    case 'unknown':
      return {
        outcome: 'not_sent',
        reason: "Temporal's search did not show in time whether this workflow id was used before.",
      };
  }
}

function toOutcome(result: ServiceResult<Creation> | CardGone, tokenGeneration: number): CreationOutcome {
  switch (result.outcome) {
    case 'answered': {
      const { id, status, answer } = result.value;
      return { outcome: 'answered', service_id: id, status, answer };
    }
    case 'refused':
      return { outcome: 'refused', reason: withWords(result), http_status: result.httpStatus };
    case 'unauthorized':
      return { outcome: 'unauthorized', reason: withWords(result), token_generation: tokenGeneration };
    case 'throttled':
      return { outcome: 'throttled', reason: withWords(result), retry_after_ms: result.retryAfterMs };
    case 'not_sent':
    case 'unknown':
      return { outcome: result.outcome, reason: withWords(result) };
    case 'card_gone':
      return result;
  }
}

function withWords({ reason, words }: ServiceFailure): string {
  return words === undefined ? reason : `${reason} Its words: ${words}`;
}

/** For calls whose answer is documented as id and status: nothing else goes into the history. */
export function withoutAnswer(outcome: CreationOutcome): CreationOutcome {
  if (outcome.outcome !== 'answered') return outcome;
  return { outcome: 'answered', service_id: outcome.service_id, status: outcome.status };
}
