import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { BulkRetryInput, BulkRetryState } from '../src/contract/bulk-retry.js';
import { awaitedCheck } from '../src/domain/bulk-retry-status.js';
import { bulkRetrySpans } from '../src/domain/bulk-retry.js';
import { bulkRetryWorkflowId } from '../src/domain/ids.js';
import { Campaign } from './bulk-retry/campaign.js';
import { registerHandlers } from './bulk-retry/handlers.js';
import { Pages } from './bulk-retry/pages.js';
import { readPlan } from './bulk-retry/plan.js';
import { publish } from './bulk-retry/publish.js';
import { begin, type CampaignSnapshot } from './bulk-retry/snapshot.js';
import { bulkRetryPagesQuery } from './messages.js';
import { inBulk } from './shared/activities.js';
import { Clock } from './shared/clock.js';
import { goOnInNewRun } from './shared/new-run.js';
import { temporalRun } from './shared/temporal-run.js';

/**
 * Retries failed payouts by the thousand: selects them, retries a few and waits for their outcomes, then the others in
 * pace, and stops by itself when too many fail again. Each payout decides for itself. Its pages hold the report.
 *
 * @throws ApplicationFailure `InvalidInput` when nothing of it can be used
 */
export async function bulkRetry(input: BulkRetryInput, snapshot?: CampaignSnapshot): Promise<BulkRetryState> {
  const clock = new Clock();
  const { isReset, owner, startedAt } = temporalRun(undefined, clock);
  const initial = snapshot ?? begin(readPlan(input, startedAt), startedAt);
  const campaign = new Campaign(initial, owner, () => clock.now(), isReset);
  const pages = new Pages(campaign, clock, (next) => goOnInNewRun<typeof bulkRetry>(input, next));
  setHandler(bulkRetryPagesQuery, () => ({
    is_checked: campaign.snapshot.isChecked,
    is_selecting: campaign.stage === 'selecting',
    numbers: campaign.pages.numbers,
  }));
  registerHandlers(campaign, () => {
    pages.changed();
  });
  if (snapshot === undefined) campaign.accept(readPlan(await checked(input), startedAt));
  return CancellationScope.nonCancellable(async () => {
    await select(campaign, pages);
    await check(campaign, pages);
    await canary(campaign, pages);
    await retryOthers(campaign, pages);
    await follow(campaign, pages);
    campaign.end();
    publish(campaign.state());
    await condition(allHandlersFinished);
    return campaign.state();
  });
}

/** The dry run: which failed payouts are meant, grouped by cause, and shared out to pages. */
async function select(campaign: Campaign, pages: Pages): Promise<void> {
  const { selectFailedPayouts } = inBulk({
    startToCloseTimeout: '30 minutes',
    heartbeatTimeout: '1 minute',
    summary: 'select failed payouts',
  });
  await pages.instruct();
  while (campaign.stage === 'selecting') {
    const { plan, selection } = campaign;
    const { filter } = plan;
    const selected = pages.during(selectFailedPayouts({ filter, cursor: selection.cursor }));
    const { next_cursor, payouts } = await selected;
    selection.add(payouts, next_cursor);
    for (let page = selection.takePage(); page !== undefined; page = selection.takePage()) {
      await pages.start(page);
    }
    campaign.leaveSelection();
    await pages.instruct();
  }
}

/**
 * What another bulk retry still has to retry is not retried by this one. Checked again each minute while that is not known, or
 * when an operator has failed the activity.
 */
async function check(campaign: Campaign, pages: Pages): Promise<void> {
  const { findHolders } = inBulk({
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '1 minute',
    summary: 'search other bulk retries of these payouts',
  });
  const { plan, snapshot } = campaign;
  const started_at = new Date(snapshot.startedAt).toISOString();
  while (campaign.awaitsCheck) {
    let isOver = false;
    const found = findHolders({ bulk_retry_id: plan.id, started_at }).catch(() => undefined);
    void found.then((holders) => {
      isOver = true;
      if (holders !== undefined) campaign.checked(holders);
      pages.changed();
    });
    while (campaign.awaitsCheck && !isOver) await pages.change(awaitedCheck);
    const againAt = Date.now() + bulkRetrySpans.checkMs * plan.scale;
    if (campaign.awaitsCheck) await pages.change('the next check of other bulk retries', againAt);
  }
}

/** A few are retried first; the others wait for their outcomes. */
async function canary(campaign: Campaign, pages: Pages): Promise<void> {
  campaign.leaveCanary();
  while (campaign.stage === 'canary' && !campaign.stopped) {
    await pages.change('the outcomes of the canary', campaign.canaryEndsAt);
    campaign.leaveCanary();
  }
}

/** The others, in pace; stops by itself when too many fail again. */
async function retryOthers(campaign: Campaign, pages: Pages): Promise<void> {
  campaign.leaveRunning();
  while (campaign.stage !== 'following') {
    await pages.change('the progress of the retries');
    campaign.stopIfFailing();
    campaign.leaveRunning();
  }
}

/** All that may be retried is: its outcomes come in. */
async function follow(campaign: Campaign, pages: Pages): Promise<void> {
  while (!campaign.pages.areOver) {
    await pages.change('the outcomes of what was retried');
    campaign.stopIfFailing();
  }
}

/** The input as it is understood. */
async function checked(input: unknown): Promise<BulkRetryInput> {
  const { cronSchedule, retryPolicy, workflowId } = workflowInfo();
  const { checkBulkRetry } = inBulk({ startToCloseTimeout: '1 minute', summary: 'check the request' });
  const found = await checkBulkRetry({ input });
  if ('problems' in found) {
    throw invalid(found.problems.map(({ field, message }) => `${field} ${message}`).join('; '));
  }
  const id = bulkRetryWorkflowId(found.input.bulk_retry_id);
  if (workflowId !== id) throw invalid(`The workflow id must be ${id}.`);
  if (retryPolicy !== undefined || (cronSchedule ?? '') !== '') {
    throw invalid('A bulk retry must not be started with a retry policy or a cron schedule.');
  }
  return found.input;
}

function invalid(message: string): ApplicationFailure {
  return ApplicationFailure.create({
    type: 'InvalidInput',
    message: `${message} Nothing was retried.`,
    nonRetryable: true,
  });
}
