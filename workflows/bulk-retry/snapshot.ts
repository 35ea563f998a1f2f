import type { TimelineEntry } from '../../src/contract/state.js';
import type { BulkRetryStage } from '../../src/domain/bulk-retry-status.js';
import type { Ends } from '../../src/domain/bulk-retry.js';
import type { PageSnapshot } from './page-list.js';
import type { Plan } from './plan.js';
import { Selection, type SelectionSnapshot } from './selection.js';

/** What a bulk retry carries through a continue-as-new. */
export type CampaignSnapshot = {
  plan: Plan;
  startedAt: number;
  updatedAt: number;
  stage: BulkRetryStage;
  /** Why nothing is retried for now. */
  held: 'by_operator' | 'by_itself' | null;
  /** Nothing is retried any more. */
  stopped: boolean;
  selection: SelectionSnapshot;
  /** Its check of other bulk retries is finished: before, nothing is retried. */
  isChecked: boolean;
  pages: PageSnapshot[];
  canaryEndsAt: number;
  /** What had ended when it was last resumed. */
  resumedAfter: Ends;
  /** When a page last reported. */
  reportedAt: number;
  detail: string | null;
  timeline: readonly TimelineEntry[];
};

/** A bulk retry that has just begun. */
export function begin(plan: Plan, startedAt: number): CampaignSnapshot {
  return {
    plan,
    startedAt,
    updatedAt: startedAt,
    stage: 'selecting',
    held: null,
    stopped: false,
    selection: Selection.begin(),
    isChecked: false,
    pages: [],
    canaryEndsAt: 0,
    resumedAfter: { done: 0, failedAgain: 0 },
    reportedAt: startedAt,
    detail: null,
    timeline: [{ at: iso(startedAt), what: 'Bulk retry started', by: plan.by, reason: plan.reason }],
  };
}

export function iso(at: number): string {
  return new Date(at).toISOString();
}
