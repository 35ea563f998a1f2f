import {
  ActivityFailure,
  ApplicationFailure,
  TemporalFailure,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { ReadInRun, SendOnceInput } from '../../src/contract/outcomes.js';
import {
  cardStoreScheduleToStartMs,
  creatingActivity,
  scanBackMs,
  scheduleToStartSlackMs,
} from '../../src/domain/call-limits.js';
import { Refused } from '../../src/domain/refused.js';
import {
  afterOutcome,
  answeredBefore,
  type CreationOutcome,
  type SubmissionState,
  type Submitted,
} from '../../src/domain/submission.js';
import { checking, creating, creatingWithCard, reading, scanning, searching } from './activities.js';
import { goOnAt } from './clock.js';
import type { CardCalls, CreatingCall, CreatingCalls, Read, ReadTarget, ScanTarget } from './context.js';
import type { Run } from './run.js';

/** The calls of a lifecycle as activities. */
export abstract class TemporalCalls {
  /** The workflow's time when the last call was made, in milliseconds since the epoch; that of its start before. */
  protected passed = workflowInfo().startTime.getTime();

  constructor(
    readonly run: Run,
    private readonly scale: number,
  ) {}

  /** Shows what the payment waits for. */
  protected abstract publish(awaiting: string): void;

  now(): number {
    return this.run.now();
  }

  send(state: SubmissionState, doing: string, call: CreatingCall<CreatingCalls>) {
    return this.#sendOnce(state, doing, (once) => call(creating(doing), once));
  }

  sendWithCard(state: SubmissionState, taskQueue: string, doing: string, call: CreatingCall<CardCalls>) {
    return this.#sendOnce(state, doing, (once) => call(creatingWithCard(taskQueue, doing), once));
  }

  readPayout(serviceId: string, doing: string) {
    return this.#readInTask(() => reading(doing).readPayout(this.#readTarget(serviceId)));
  }

  readPayouts<Of extends ReadTarget>(of: readonly Of[]) {
    return Promise.all(
      of.map(async (each) => ({ ...each, read: await this.readPayout(each.serviceId, each.doing) })),
    );
  }

  readOrder(serviceId: string) {
    return this.#readInTask(() => reading('read the order').readOrder(this.#readTarget(serviceId)));
  }

  async readThreeDSecureToken() {
    const token = await this.#read(() =>
      reading("get a token for the customer's browser").readThreeDSecureToken(),
    );
    return token.kind === 'read' ? token.reading : undefined;
  }

  async scanPayouts({ partner_codes = [], ...target }: ScanTarget, doing: string) {
    const not_before = new Date(this.run.startedAt - scanBackMs(this.run.startedOnce)).toISOString();
    const scan = await this.#read(() =>
      scanning(doing, target.for_command === true).findPayouts({ partner_codes, ...target, not_before }),
    );
    return scan.kind === 'read' ? scan.reading.found : undefined;
  }

  async ownerOf(serviceId: string) {
    const target = { service_id: serviceId, except_workflow_id: this.run.workflowId };
    const found = await this.#read(() => searching('look who owns an identifier').findOwner(target));
    if (found.kind === 'read') return found.reading.workflow_id;
    const what = 'Our own payments could not be searched just now. Nothing was changed.';
    throw new Refused('CouldNotRead', what);
  }

  async checkInput(workflowType: 'cardOrder' | 'refund', input: unknown) {
    const { checkInput } = checking('check the request');
    this.#calling();
    return (await checkInput({ workflow_type: workflowType, input })).problems;
  }

  async wasReset() {
    const { checkRun } = checking('see whether this run is a reset');
    this.#calling();
    const original = workflowInfo().originalExecutionRunId;
    return (await checkRun({ original_execution_run_id: original })).is_reset;
  }

  async #sendOnce(
    state: SubmissionState,
    doing: string,
    call: (once: SendOnceInput) => Promise<CreationOutcome>,
  ): Promise<Submitted> {
    this.publish(`the answer of the service (${doing})`);
    this.#calling();
    const scheduledAt = Date.now();
    const after = (outcome: CreationOutcome) => afterOutcome(outcome, state, Date.now(), this.scale);
    try {
      const outcome = await call({
        original_execution_run_id: workflowInfo().originalExecutionRunId,
        rule_out_runs_before: this.run.startedOnce ? null : workflowInfo().firstExecutionRunId,
        rejected_generation: state.rejectedGeneration,
      });
      return after(outcome);
    } catch (error) {
      const answered = error instanceof ActivityFailure && answeredBefore(lastHeartbeat(error));
      return answered ? after(answered) : withoutAnswer(error, scheduledAt);
    }
  }

  /** By a local activity. What is reckoned after it is reckoned from when it was asked for, in a replay as well. */
  #readInTask<Reading>(call: () => Promise<ReadInRun<Reading>>): Promise<Read<ReadInRun<Reading>>> {
    const { passed } = this;
    const goOnFrom = (askedAt: number | undefined) => {
      if (askedAt === undefined) return;
      goOnAt(askedAt);
      this.passed = Math.max(passed, askedAt);
    };
    return this.#read(async () => {
      try {
        const reading = await call();
        goOnFrom(reading.asked_at);
        return reading;
      } catch (error) {
        goOnFrom(askedAtOf(error));
        throw error;
      }
    });
  }

  async #read<Reading>(call: () => Promise<Reading>): Promise<Read<Reading>> {
    this.#calling();
    try {
      return { kind: 'read', reading: await call() };
    } catch (error) {
      // A local activity's failure comes as it was thrown, that of a regular one wrapped.
      const cause = error instanceof ActivityFailure ? error.cause : error;
      if (!(cause instanceof TemporalFailure)) throw error;
      if (cause instanceof ApplicationFailure && cause.type === 'NotFound') return { kind: 'not_found' };
      return { kind: 'unreadable', reason: cause.message };
    }
  }

  #readTarget(serviceId: string) {
    const { originalExecutionRunId } = workflowInfo();
    return {
      service_id: serviceId,
      original_execution_run_id: originalExecutionRunId,
      asked_at: this.now(),
    };
  }

  #calling(): void {
    this.passed = Math.max(this.passed, this.now());
  }
}

/** What a failure of {@link ReadInRun} says; a timeout says nothing. */
function askedAtOf(error: unknown): number | undefined {
  if (!(error instanceof ApplicationFailure)) return undefined;
  const [detail] = error.details ?? [];
  const isAsked = typeof detail === 'object' && detail !== null && 'asked_at' in detail;
  return isAsked && typeof detail.asked_at === 'number' ? detail.asked_at : undefined;
}

/** What a call that lingered had heartbeated when its worker was lost. */
function lastHeartbeat({ cause }: ActivityFailure): unknown {
  return cause instanceof TimeoutFailure ? cause.lastHeartbeatDetails : undefined;
}

/** A creating call without an outcome may have had its effect, but for a card that no gateway took up in time. */
function withoutAnswer(error: unknown, scheduledAt: number): Submitted {
  if (!(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  const neverStarted =
    cause instanceof TimeoutFailure &&
    cause.timeoutType === 'SCHEDULE_TO_START' &&
    Date.now() < scheduledAt + cardStoreScheduleToStartMs + scheduleToStartSlackMs;
  if (neverStarted) {
    return { kind: 'card_gone', reason: 'The gateway that held the card is gone.' };
  }
  return {
    kind: 'unknown',
    reason: 'The worker that made the call gave no answer.',
    verifyFrom: Math.max(Date.now(), scheduledAt + creatingActivity.startToCloseMs),
    runWasReset: false,
  };
}
