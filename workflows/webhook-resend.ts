import { proxyActivities, setCurrentDetails, setHandler, workflowInfo } from '@temporalio/workflow';
import type { OwnPaymentsActivities } from '../activities/index.js';
import type { ResendOutcome } from '../activities/resend-notifications.js';
import type {
  WebhookResendCounts,
  WebhookResendInput,
  WebhookResendState,
} from '../src/contract/webhook-resend.js';
import { webhookResendQuery } from './messages.js';
import { goOnInNewRun, needsNewRun } from './shared/new-run.js';
import { temporalRun } from './shared/temporal-run.js';

/** How far a resend has come, for the run that continues it. */
type Progress = { counts: WebhookResendCounts; startedAt: string; since: string | null };

/**
 * Sends notifications of payments again: of one, or of all that have changed since a moment. What was begun for a
 * payment is delivered by a workflow of its own. No payment notices anything of it.
 *
 * @throws ApplicationFailure `InvalidInput` when nothing of it can be used
 */
export async function webhookResend(
  input: WebhookResendInput,
  previous?: Progress,
): Promise<WebhookResendState> {
  const { owner } = temporalRun(undefined);
  const startedAt = previous?.startedAt ?? workflowInfo().startTime.toISOString();
  const counts = previous?.counts ?? { payments: 0, resent: 0, waiting: 0, unreadable: 0 };
  let isRunning = true;
  const state = (): WebhookResendState => ({
    resend_id: input.resend_id,
    workflow_id: workflowInfo().workflowId,
    started_by: owner,
    by: input.by,
    status: isRunning ? 'running' : 'finished',
    counts: { ...counts },
    started_at: startedAt,
    closed: !isRunning,
  });
  setHandler(webhookResendQuery, state);

  let since = previous?.since ?? null;
  do {
    const part = await selecting().selectNotifiedPayments({ input, since });
    for (let payments = part.payments; payments.length > 0;) {
      const outcomes = await resending(payments.length).resendNotifications({ input, payments });
      count(counts, outcomes);
      setCurrentDetails(details(counts));
      payments = payments.slice(outcomes.length);
    }
    since = part.next_since;
    if (since !== null && needsNewRun()) {
      await goOnInNewRun<typeof webhookResend>(input, { counts, startedAt, since });
    }
  } while (since !== null);
  isRunning = false;
  return state();
}

/** Safe to retry: it only reads. */
function selecting() {
  return proxyActivities<OwnPaymentsActivities>({
    startToCloseTimeout: '10 minutes',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
    summary: 'find payments that have changed',
  });
}

/** Safe to retry: of a payment each resend starts one workflow at most. */
function resending(payments: number) {
  return proxyActivities<OwnPaymentsActivities>({
    startToCloseTimeout: '4 hours',
    heartbeatTimeout: '2 minutes',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
    summary: `send notifications of ${String(payments)} payments again`,
  });
}

function count(counts: WebhookResendCounts, outcomes: readonly ResendOutcome[]): void {
  for (const { resent, unreadable, waiting } of outcomes) {
    counts.payments += 1;
    counts.resent += resent;
    counts.waiting += waiting;
    if (unreadable) counts.unreadable += 1;
  }
}

function details({ payments, resent, unreadable, waiting }: WebhookResendCounts): string {
  return [
    `Looked at ${String(payments)} payments: ${String(resent)} notifications are sent again,`,
    `${String(waiting)} were still on their way and are tried now.`,
    ...(unreadable === 0 ? [] : [`${String(unreadable)} payments could not be read.`]),
  ].join(' ');
}
