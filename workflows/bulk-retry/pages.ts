import {
  allHandlersFinished,
  condition,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  startChild,
} from '@temporalio/workflow';
import type { SelectedPayout } from '../../src/contract/bulk-retry.js';
import { bulkRetryPageId } from '../../src/domain/ids.js';
import type { bulkRetryPage } from '../bulk-retry-page.js';
import { allowRetriesSignal } from '../messages.js';
import type { Clock } from '../shared/clock.js';
import { needsNewRun } from '../shared/new-run.js';
import type { Campaign } from './campaign.js';
import { publish } from './publish.js';
import type { CampaignSnapshot } from './snapshot.js';

/** The pages of a bulk retry, each a workflow: starts them, sends them what they may do, waits for what they report. */
export class Pages {
  /** Pages of a run before a reset to which it was sent that they retry no more. */
  readonly #ended = new Set<number>();
  #hasChanged = false;

  constructor(
    private readonly campaign: Campaign,
    private readonly clock: Clock,
    private readonly continueAsNew: (snapshot: CampaignSnapshot) => Promise<never>,
  ) {}

  /** Something of the bulk retry has changed: whoever waits goes on. */
  changed(): void {
    this.#hasChanged = true;
  }

  async start(payouts: SelectedPayout[]): Promise<void> {
    const { campaign } = this;
    const { by, id, perSecond, reason, scale } = campaign.plan;
    // Those of its codes that match are its payouts.
    const filter = { ...campaign.plan.filter, partner_codes: undefined };
    const inputOf = (page: number): Parameters<typeof bulkRetryPage>[0] => ({
      ...{ bulk_retry_id: id, page, by, reason, per_second: perSecond, scale, filter, payouts },
    });
    let page = (campaign.pages.numbers.at(-1) ?? 0) + 1;
    for (; !(await startPage(inputOf(page))); page += 1) await this.#end(page);
    campaign.startedPage(page, payouts);
  }

  /** Sends each page what it may do now, and shows operators how far it is. Continues as new when that is due. */
  async instruct(): Promise<void> {
    const { campaign } = this;
    this.#hasChanged = false;
    publish(campaign.state());
    for (const page of campaign.earlierPages()) await this.#end(page);
    for (const { allow, page } of campaign.allowances()) {
      const handle = getExternalWorkflowHandle(bulkRetryPageId(campaign.plan.id, page));
      await handle.signal(allowRetriesSignal, allow).catch(() => {
        campaign.lost(page);
      });
    }
    publish(campaign.state());
    if (this.#mayLeave) await this.continueAsNew(campaign.snapshot);
  }

  /** Waits until something has changed, or until that time: milliseconds since the epoch. */
  async change(awaiting: string, until = Infinity): Promise<void> {
    await this.instruct();
    const at = Math.min(until, this.campaign.silentAt);
    await this.clock.until(at, () => this.#hasChanged || this.#mayLeave, awaiting);
  }

  /** Waits for the result of an activity; meanwhile pages are instructed as soon as something has changed. */
  async during<Result>(activity: Promise<Result>): Promise<Result> {
    let isSettled = false;
    const settle = () => {
      isSettled = true;
    };
    activity.then(settle, settle);
    while (!isSettled) {
      await condition(() => isSettled || this.#hasChanged);
      if (!isSettled) await this.instruct();
    }
    return activity;
  }

  /** A page of the run before a reset retries no more. */
  async #end(page: number): Promise<void> {
    if (this.#ended.has(page)) return;
    this.#ended.add(page);
    const { campaign } = this;
    const handle = getExternalWorkflowHandle(bulkRetryPageId(campaign.plan.id, page));
    await handle.signal(allowRetriesSignal, campaign.endEarlier(page)).catch(() => {
      campaign.lost(page);
    });
  }

  get #mayLeave(): boolean {
    return needsNewRun() && allHandlersFinished();
  }
}

/** False when a page of this number exists. */
async function startPage(input: Parameters<typeof bulkRetryPage>[0]): Promise<boolean> {
  const { bulk_retry_id: id, page, payouts } = input;
  try {
    await startChild<typeof bulkRetryPage>('bulkRetryPage', {
      workflowId: bulkRetryPageId(id, page),
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      // It continues while this workflow continues as new.
      parentClosePolicy: ParentClosePolicy.ABANDON,
      args: [input],
      staticSummary: `Page ${String(page)} of a bulk retry: ${String(payouts.length)} payouts`,
    });
    return true;
  } catch (error) {
    if (error instanceof Error && error.name === 'WorkflowExecutionAlreadyStartedError') return false;
    throw error;
  }
}
