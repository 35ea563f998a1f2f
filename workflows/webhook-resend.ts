import { setCurrentDetails, setHandler, sleep, workflowInfo } from '@temporalio/workflow';
import type { ResendOutcome } from '../activities/resend-notifications.js';
import type {
  WebhookResendCounts,
  WebhookResendInput,
  WebhookResendState,
} from '../src/contract/webhook-resend.js';
import { strideOf } from '../src/domain/batch-limits.js';
import { defaultResendsPerSecond } from '../src/domain/notifications.js';
import { webhookResendQuery } from './messages.js';
import { inBulk } from './shared/activities.js';
import { goOnInNewRun, needsNewRun } from './shared/new-run.js';
import { temporalRun } from './shared/temporal-run.js';

/** How far a resend has come, for the run that continues it. `since`: where the payments end that are selected. */
type Progress = {
  counts: WebhookResendCounts;
  startedAt: string;
  payments: string[];
  since: string | null;
};

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

  let { payments, since } = previous ?? (await select(input, null));
  for (;;) {
    while (payments.length > 0) {
      const outcomes = await resend(input, payments);
      count(counts, outcomes);
      setCurrentDetails(details(counts));
      payments = payments.slice(outcomes.length);
      if (needsNewRun()) {
        await goOnInNewRun<typeof webhookResend>(input, { counts, startedAt, payments, since });
      }
    }
    if (since === null) break;
    ({ payments, since } = await select(input, since));
  }
  isRunning = false;
  return state();
}

async function select(input: WebhookResendInput, since: string | null) {
  const { selectNotifiedPayments } = inBulk({
    startToCloseTimeout: '10 minutes',
    summary: 'find payments that have changed',
  });
  const part = await selectNotifiedPayments({ input, since });
  return { payments: part.payments, since: part.next_since };
}

/** Of the first of these payments, as many as the pace allows. Of a payment each resend starts one workflow at most. */
async function resend(input: WebhookResendInput, payments: readonly string[]): Promise<ResendOutcome[]> {
  const { perSecond, rows, waitMs } = strideOf(input.per_second ?? defaultResendsPerSecond);
  if (waitMs > 0) await sleep(waitMs, { summary: 'the pace of the resend' });
  const some = payments.slice(0, rows);
  const { resendNotifications } = inBulk({
    startToCloseTimeout: '1 hour',
    heartbeatTimeout: '2 minutes',
    summary: `send notifications of ${String(some.length)} payments again`,
  });
  return resendNotifications({ input, payments: some, per_second: perSecond });
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
