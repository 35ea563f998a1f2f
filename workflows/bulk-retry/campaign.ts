import type {
  AllowRetries,
  BulkRetryCommand,
  BulkRetryPageProgress,
  BulkRetryState,
  SelectedPayout,
} from '../../src/contract/bulk-retry.js';
import {
  awaitedByBulkRetry,
  awaitedCheckOf,
  bulkRetryStatus,
  type BulkRetryCourse,
  type BulkRetryStage,
  type BulkRetryStatus,
} from '../../src/domain/bulk-retry-status.js';
import {
  bulkRetryLimits,
  bulkRetrySpans,
  failsTooOften,
  type Ends,
  type Tallies,
} from '../../src/domain/bulk-retry.js';
import { Refused } from '../../src/domain/refused.js';
import { withLine } from '../../src/domain/timeline.js';
import type { Holder } from '../../activities/find-holders.js';
import { PageList, type Turn } from './page-list.js';
import type { Plan } from './plan.js';
import { Selection } from './selection.js';
import { iso, type CampaignSnapshot } from './snapshot.js';
import { perOutcome, viewOfAttention, viewOfPlan } from './views.js';

/** The number of the allowance that ends a page of the run before a reset: no other one has it. */
const endedAnew = -1;

/** The state of a bulk retry and its transitions; all of it is serializable and knows nothing of Temporal. */
export class Campaign {
  readonly pages: PageList;
  readonly selection: Selection;
  /** Whether each page, by its number, that this run knows of retries no more, whatever it was allowed before. */
  readonly #ended = new Map<number, boolean>();
  /** Bulk retries of which it is not known whether they still have to retry its payouts. */
  #unknown: readonly string[] = [];
  /** Whether pages of the run before a reset may retry without this run knowing of them. */
  #mayHaveEarlierPages: boolean;

  constructor(
    readonly snapshot: CampaignSnapshot,
    private readonly owner: string | null,
    private readonly now: () => number,
    isReset = false,
  ) {
    this.#mayHaveEarlierPages = isReset;
    this.pages = new PageList(snapshot.pages);
    this.selection = new Selection(snapshot.selection);
  }

  /** Takes the plan as it was checked. */
  accept(plan: Plan): void {
    this.snapshot.plan = plan;
  }

  get plan(): Plan {
    return this.snapshot.plan;
  }

  get stage(): BulkRetryStage {
    return this.snapshot.stage;
  }

  get stopped(): boolean {
    return this.snapshot.stopped;
  }

  /** All are selected: the canary begins, unless nothing is to be retried. */
  leaveSelection(): void {
    if (this.pages.count > bulkRetryLimits.pages) {
      this.snapshot.stopped = true;
      this.snapshot.detail =
        'More than 100,000 payouts match. Nothing was retried. Choose fewer by the filter.';
      this.note(this.snapshot.detail);
    } else if (!this.selection.isComplete && !this.stopped) {
      return;
    }
    this.snapshot.stage = this.plan.isDryRun || this.stopped ? 'following' : 'canary';
  }

  /** Whether it still has to check that no other bulk retry has its payouts. */
  get awaitsCheck(): boolean {
    return this.stage === 'canary' && !this.snapshot.isChecked && !this.stopped;
  }

  /** The canary begins, unless others have, or may have, some of its payouts still to retry: their pause would be bypassed. */
  checked(found: readonly Holder[]): void {
    if (!this.awaitsCheck) return;
    const holders = found.filter(({ status }) => status !== null);
    this.#unknown = found.flatMap(({ bulk_retry_id: id, status }) => (status === null ? [id] : []));
    if (holders.length === 0 && this.#unknown.length > 0) return;
    this.snapshot.isChecked = true;
    this.snapshot.canaryEndsAt = this.now() + bulkRetrySpans.canaryMs * this.plan.scale;
    if (holders.length === 0) return;
    this.snapshot.stopped = true;
    this.follow();
    const advice = 'Resume or stop it, or choose others by the filter, and start another one.';
    this.snapshot.detail = `${holders.map(heldBy).join(' ')} Nothing was retried. ${advice}`;
    this.note(this.snapshot.detail);
  }

  /** A page was started. Its number was free: all pages of the run before a reset have lower ones, and were ended. */
  startedPage(page: number, payouts: readonly SelectedPayout[]): void {
    this.pages.add(page, payouts);
    this.#mayHaveEarlierPages = false;
  }

  /** Pages that this run has not started, but one before a reset: they must retry no more. */
  earlierPages(): number[] {
    const known = this.pages.numbers;
    return [...this.#ended.keys()].filter((page) => !known.includes(page));
  }

  /** The allowance that ends a page of the run before a reset. */
  endEarlier(page: number): AllowRetries {
    this.#ended.set(page, this.#ended.get(page) ?? false);
    this.note('Started anew after a reset: pages of the run before it retry no more.');
    return { number: endedAnew, up_to: 0, last: true };
  }

  applyProgress(progress: BulkRetryPageProgress): void {
    this.snapshot.reportedAt = this.now();
    this.#ended.set(progress.page, progress.idle && progress.allowed === endedAnew);
    this.pages.applyProgress(progress);
    this.#touch();
  }

  /** A page was terminated by somebody: what it has not retried stays pending. */
  lost(page: number): void {
    this.#ended.set(page, true);
    if (this.pages.lost(page)) {
      this.note(`Page ${String(page)} was ended from outside: what it had not retried is not retried.`);
    }
  }

  /** What each page is allowed now, where that is not what was sent to it; all of them when they have been silent. */
  allowances(): { page: number; allow: AllowRetries }[] {
    const isSilent = this.now() >= this.silentAt;
    if (isSilent) this.snapshot.reportedAt = this.now();
    return this.pages.instruct(this.#turn, isSilent);
  }

  get #turn(): Turn {
    const { held, stage, stopped } = this.snapshot;
    if (stopped || this.plan.isDryRun) return { kind: 'never' };
    if (held !== null || stage === 'selecting' || !this.snapshot.isChecked) return { kind: 'not_now' };
    return stage === 'canary' ? { kind: 'canary', payouts: this.plan.canary } : { kind: 'in_turn' };
  }

  /** When pages that have said nothing are asked again. */
  get silentAt(): number {
    return this.snapshot.reportedAt + bulkRetrySpans.silenceMs * this.plan.scale;
  }

  /** Whether no page retries anything before it is allowed more. */
  get isIdle(): boolean {
    if (this.stage === 'selecting' && this.#mayHaveEarlierPages) return false;
    return this.earlierPages().every((page) => this.#ended.get(page)) && this.pages.areIdle(this.#turn);
  }

  /** Until when the canary is waited for: milliseconds since the epoch. */
  get canaryEndsAt(): number {
    return this.snapshot.held === null ? this.snapshot.canaryEndsAt : Infinity;
  }

  get #canaryEnded(): boolean {
    return this.pages.haveEnded(this.plan.canary);
  }

  /** After the canary: goes on with the others, unless too many of it have failed again. */
  leaveCanary(): void {
    if (this.stage !== 'canary' || this.stopped || !this.snapshot.isChecked) return;
    if (this.snapshot.held !== null || (!this.#canaryEnded && this.now() < this.canaryEndsAt)) return;
    if (this.stopIfFailing(true)) return;
    this.snapshot.stage = 'running';
    this.note(this.#canaryEnded ? 'The canary is through.' : 'The canary has not ended in time; it goes on.');
  }

  /** Stops by itself when too many fail again while others wait. */
  stopIfFailing(isWhole = false): boolean {
    const { held, resumedAfter } = this.snapshot;
    if (held !== null || this.stopped || this.#total.pending.count === 0) return false;
    const ends = this.#ends;
    if (!failsTooOften(ends, resumedAfter, this.plan.stopAtFailureShare, isWhole)) return false;
    const failed = ends.failedAgain - resumedAfter.failedAgain;
    const ended = failed + ends.done - resumedAfter.done;
    this.snapshot.held = 'by_itself';
    this.snapshot.detail = `${String(failed)} of ${String(ended)} failed again.`;
    this.note(`Needs an operator (bulk_retry_stopped): ${this.snapshot.detail}`);
    return true;
  }

  /** All that may be retried is: what is left are outcomes. */
  leaveRunning(): void {
    if (this.stopped || this.pages.areRetried) this.follow();
  }

  follow(): void {
    this.snapshot.stage = 'following';
  }

  end(): void {
    this.snapshot.stage = 'ended';
    this.note('The bulk retry is over.');
  }

  /** Why a command is not taken now; undefined when it is. */
  refusalOf(name: 'pause' | 'resume' | 'stop'): Refused | undefined {
    if (this.stopped || this.stage === 'ended') {
      return new Refused('Closed', `This bulk retry is ${this.status}. Nothing was changed.`);
    }
    if (name === 'resume' && this.snapshot.held === null) {
      return new Refused('NotPaused', `This bulk retry is ${this.status}, not paused. Nothing was changed.`);
    }
    return undefined;
  }

  pause(command: BulkRetryCommand): void {
    this.snapshot.held ??= 'by_operator';
    this.note('Paused', command);
  }

  resume(command: BulkRetryCommand): void {
    this.snapshot.held = null;
    this.snapshot.detail = null;
    this.snapshot.resumedAfter = this.#ends;
    this.snapshot.canaryEndsAt = this.now() + bulkRetrySpans.canaryMs * this.plan.scale;
    this.note('Resumed', command);
  }

  stop(command: Partial<BulkRetryCommand>): void {
    this.snapshot.stopped = true;
    this.snapshot.held = null;
    this.snapshot.detail = null;
    this.note('Stopped for good', command);
  }

  get status(): BulkRetryStatus {
    return bulkRetryStatus(this.#course);
  }

  get #course(): BulkRetryCourse {
    return { ...this.snapshot, isDryRun: this.plan.isDryRun };
  }

  state(): BulkRetryState {
    const { detail, held, stage, startedAt, timeline, updatedAt } = this.snapshot;
    return {
      ...viewOfPlan(this.plan),
      started_by: this.owner,
      status: this.status,
      ...viewOfAttention(held === 'by_itself', detail),
      awaiting: this.awaitsCheck
        ? awaitedCheckOf(this.#unknown)
        : awaitedByBulkRetry(this.#course, this.isIdle),
      ...perOutcome(this.#total),
      unanswered: this.pages.unanswered.slice(0, bulkRetryLimits.unanswered),
      groups: this.selection.groups(),
      started_at: iso(startedAt),
      updated_at: iso(updatedAt),
      closed: stage === 'ended',
      pages: this.pages.count,
      timeline: timeline.map((entry) => ({ ...entry })),
    };
  }

  note(what: string, operator?: Partial<BulkRetryCommand>): void {
    this.snapshot.timeline = withLine(this.snapshot.timeline, what, this.now(), operator);
    this.#touch();
  }

  get #total(): Tallies {
    const total = this.pages.total();
    for (const { centavos } of this.selection.unpaged) {
      total.pending.count += 1;
      total.pending.centavos += centavos;
    }
    return total;
  }

  get #ends(): Ends {
    const { done, failed_again: failedAgain } = this.#total;
    return { done: done.count, failedAgain: failedAgain.count };
  }

  #touch(): void {
    this.snapshot.updatedAt = this.now();
  }
}

function heldBy({ bulk_retry_id: id, count, partner_codes: codes, status }: Holder): string {
  return `Bulk retry ${id}, which is ${String(status)}, still has to retry ${String(count)} of these payouts (${codes.join(', ')}).`;
}
