/** `stopped` with an attention: by itself, it may be resumed. `paused`: by an operator. */
export const bulkRetryStatuses = ['dry_run', 'canary', 'running', 'paused', 'stopped', 'finished'] as const;

export type BulkRetryStatus = (typeof bulkRetryStatuses)[number];

/** `selecting`: nothing is retried yet; `following`: all that may be retried is, outcomes are awaited. */
export type BulkRetryStage = 'selecting' | 'canary' | 'running' | 'following' | 'ended';

/** What the status of a bulk retry follows from. */
export type BulkRetryCourse = {
  readonly isDryRun: boolean;
  readonly stage: BulkRetryStage;
  /** Why nothing is retried for now. */
  readonly held: 'by_operator' | 'by_itself' | null;
  /** Nothing is retried any more. */
  readonly stopped: boolean;
};

/** Only a dry run is called one: of the others the canary comes first, and until it is selected nothing is retried. */
export function bulkRetryStatus({ held, isDryRun, stage, stopped }: BulkRetryCourse): BulkRetryStatus {
  if (stopped || held === 'by_itself') return 'stopped';
  if (stage === 'ended') return 'finished';
  if (isDryRun) return 'dry_run';
  if (held === 'by_operator') return 'paused';
  return stage === 'selecting' || stage === 'canary' ? 'canary' : 'running';
}

/** Whether it may still retry what it has selected, or still selects: now, or when an operator resumes it. */
export function mayRetryMore({
  attention,
  closed,
  counts,
  dry_run: isDryRun,
  status,
}: {
  readonly attention: string | null;
  readonly closed: boolean;
  readonly counts: { readonly matched: number; readonly pending: number };
  readonly dry_run: boolean;
  readonly status: BulkRetryStatus;
}): boolean {
  const isStopped = status === 'stopped' && attention === null;
  return !closed && !isDryRun && !isStopped && (counts.pending > 0 || counts.matched === 0);
}

/** The status of a bulk retry until its payouts are selected. */
export function firstBulkRetryStatus({ dry_run }: { dry_run?: boolean | undefined }): BulkRetryStatus {
  return bulkRetryStatus({ isDryRun: dry_run === true, stage: 'selecting', held: null, stopped: false });
}

/** What a bulk retry waits for, in words for its operator; `isIdle`: no page retries anything. */
export function awaitedByBulkRetry(course: BulkRetryCourse, isIdle: boolean): string {
  const { stage } = course;
  switch (bulkRetryStatus(course)) {
    case 'dry_run':
      return selection;
    case 'canary':
      return stage === 'selecting' ? selection : 'the outcomes of the canary, 15 minutes at most';
    case 'running':
      return stage === 'following' ? outcomes : 'the retries, in pace';
    case 'paused':
      return isIdle ? 'resume or stop by an operator' : 'the retries under way; then resume or stop';
    case 'stopped':
      if (stage === 'ended') return nothing;
      return stage === 'following' ? outcomes : 'resume or stop by an operator';
    case 'finished':
      return nothing;
  }
}

/** Before anything is retried. */
export const awaitedCheck = 'the check whether other bulk retries still have to retry these payouts';

/** The same; `unknown`: those that do not answer, or that were started earlier and still select. */
export function awaitedCheckOf(unknown: readonly string[]): string {
  if (unknown.length === 0) return awaitedCheck;
  const them = unknown.map((id) => `bulk retry ${id}`).join(', ');
  return `${them}, which may have these payouts to retry and does not answer or still selects: terminate it if it never answers`;
}
const selection = 'the selection of the failed payouts';
const outcomes = 'the outcomes of what was retried';
const nothing = 'nothing: it is over';
