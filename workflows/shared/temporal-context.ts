import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  TemporalFailure,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { CreationOutcome, DetailedCreationOutcome, SendOnceInput } from '../../src/contract/outcomes.js';
import type { PaymentState } from '../../src/contract/state.js';
import {
  cardDeskScheduleToStartMs,
  creatingActivity,
  scanMarginMs,
  scheduleToStartSlackMs,
} from '../../src/domain/call-limits.js';
import { checking, creating, creatingWithCard, reading, scanning, searching } from './activities.js';
import { acknowledge, acknowledgeRefusal } from './acknowledge.js';
import { CommandQueue, type Queued } from './command-queue.js';
import type {
  CardCalls,
  Command,
  CreatingCalls,
  Payment,
  PaymentContext,
  Read,
  Run,
  ScanTarget,
  Takes,
  Woke,
} from './context.js';
import { handOver, Notifier } from './notifier.js';
import { Publisher } from './publisher.js';
import { Refused } from './refused.js';
import { ReusableTimer } from './reusable-timer.js';
import { afterOutcome, type SubmissionState, type Submitted } from './submission.js';

/** What the lifecycle does now, while it does not wait. */
const underWay = 'the outcome of the step under way';

/** {@link PaymentContext} on Temporal. */
export class TemporalContext implements PaymentContext {
  readonly queue = new CommandQueue();
  readonly #timer = new ReusableTimer();
  readonly #publisher: Publisher;
  readonly #notifier: Notifier | undefined;
  #leaving = false;
  #cancelRequested = false;
  #cancelSeen = false;

  /** @param next continues as new; called only while no command waits and no handler is under way */
  constructor(
    readonly run: Run,
    private readonly payment: Payment,
    private readonly scale: number,
    private readonly next: () => Promise<never>,
  ) {
    const { record } = payment;
    this.#publisher = new Publisher(record);
    if (record.notifications !== undefined) {
      this.#notifier = new Notifier(record.notifications, (notification, reason) => {
        record.notDelivered(notification, reason);
      });
    }
    CancellationScope.current().cancelRequested.catch(() => {
      this.#cancelRequested = true;
    });
  }

  /** Whether callers who only wait are to be answered now, because the run ends. */
  get leaving(): boolean {
    return this.#leaving;
  }

  now(): number {
    return Date.now();
  }

  /** Runs a lifecycle to its end; answers its last state, which is the result of the workflow. */
  live(lifecycle: () => Promise<void>): Promise<PaymentState> {
    return CancellationScope.nonCancellable(async () => {
      this.#publish(underWay);
      await lifecycle();
      return this.#leave();
    });
  }

  async wait(until: () => number, awaiting: string, takes: Takes = {}): Promise<Woke> {
    for (;;) {
      const queued = this.queue.take();
      if (queued !== undefined) {
        await this.#execute(queued, takes);
        return 'command';
      }
      if (this.#cancelRequested && !this.#cancelSeen) {
        this.#cancelSeen = true;
        await this.#cancel(takes);
        return 'command';
      }
      const at = until();
      if (Date.now() >= at) return 'due';
      this.#publish(awaiting);
      if (workflowInfo().continueAsNewSuggested) await this.continueAsNew();
      await this.#timer.until(at, () => this.#mustWake(until() < at), awaiting);
    }
  }

  async send(
    state: SubmissionState,
    doing: string,
    call: (calls: CreatingCalls, once: SendOnceInput) => Promise<CreationOutcome | DetailedCreationOutcome>,
  ): Promise<Submitted> {
    return this.#sendOnce(state, doing, (once) => call(creating(doing), once));
  }

  async sendWithCard(
    state: SubmissionState,
    taskQueue: string,
    doing: string,
    call: (calls: CardCalls, once: SendOnceInput) => Promise<CreationOutcome | DetailedCreationOutcome>,
  ): Promise<Submitted> {
    return this.#sendOnce(state, doing, (once) => call(creatingWithCard(taskQueue, doing), once));
  }

  readPayout(serviceId: string, doing: string) {
    return read(() => reading(doing).readPayout({ service_id: serviceId }));
  }

  readOrder(serviceId: string) {
    return read(() => reading('read the order').readOrder({ service_id: serviceId }));
  }

  async readThreeDSecureToken() {
    const token = await read(() => reading("get a token for the customer's browser").readThreeDSecureToken());
    return token.kind === 'read' ? token.reading : undefined;
  }

  async scanPayouts({ partner_codes = [], attempts_of, service_ids }: ScanTarget, doing: string) {
    const scan = await read(() =>
      scanning(doing).findPayouts({
        partner_codes,
        ...(attempts_of !== undefined && { attempts_of }),
        ...(service_ids !== undefined && { service_ids }),
        not_before: new Date(this.run.startedAt - scanMarginMs).toISOString(),
      }),
    );
    return scan.kind === 'read' ? scan.reading.found : undefined;
  }

  async ownerOf(serviceId: string) {
    const found = await read(() =>
      searching('look who owns an identifier').findOwner({
        service_id: serviceId,
        except_workflow_id: this.run.workflowId,
      }),
    );
    if (found.kind === 'read') return found.reading.workflow_id;
    throw new Refused(
      'CouldNotRead',
      'Our own payments could not be searched just now. Nothing was changed.',
    );
  }

  async checkInput(workflowType: 'cardOrder' | 'refund', input: unknown) {
    const { problems } = await checking('check the request').checkInput({
      workflow_type: workflowType,
      input,
    });
    return problems;
  }

  async wasReset() {
    const { is_reset: isReset } = await checking('see whether this run is a reset').checkRun({
      original_execution_run_id: workflowInfo().originalExecutionRunId,
    });
    return isReset;
  }

  /** Goes on here when a command comes in before the handlers under way have ended; that one is executed first. */
  async continueAsNew(): Promise<void> {
    this.#leaving = true;
    await condition(() => allHandlersFinished() || !this.queue.empty);
    if (this.queue.empty) await this.next();
    this.#leaving = false;
  }

  #mustWake(isSooner: boolean): boolean {
    return (
      isSooner ||
      !this.queue.empty ||
      this.#cancelRequested !== this.#cancelSeen ||
      workflowInfo().continueAsNewSuggested
    );
  }

  async #execute({ answer, command, refuse }: Queued, takes: Takes): Promise<void> {
    const { record } = this.payment;
    this.#publish(`the execution of ${command.name}`);
    try {
      const isAcknowledgement = command.name === 'acknowledgeAttention';
      const refusal = isAcknowledgement ? acknowledgeRefusal(record) : this.payment.refusalOf(command);
      if (refusal !== undefined) throw refusal;
      if (isAcknowledgement) acknowledge(this.payment, command.message);
      else await executeCommand(command, takes);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      record.note(`Refused (${command.name}): ${error.message}`, command.message);
      refuse(error);
      return;
    }
    this.#publish(underWay);
    answer(this.payment.view());
  }

  async #cancel({ cancel }: Takes): Promise<void> {
    if (cancel !== undefined) await cancel();
    else
      this.payment.record.note(
        'A cancel request came and changes nothing: the money is followed to its end.',
      );
  }

  async #sendOnce(
    state: SubmissionState,
    doing: string,
    call: (once: SendOnceInput) => Promise<CreationOutcome | DetailedCreationOutcome>,
  ): Promise<Submitted> {
    this.#publish(`the answer of the service (${doing})`);
    const scheduledAt = Date.now();
    try {
      const outcome = await call({
        original_execution_run_id: workflowInfo().originalExecutionRunId,
        rejected_generation: state.rejectedGeneration,
      });
      return afterOutcome(outcome, state, Date.now(), this.scale);
    } catch (error) {
      return withoutAnswer(error, scheduledAt);
    }
  }

  #publish(awaiting: string): void {
    const { record, reads } = this.payment;
    const nextRead = Number.isFinite(reads.nextReadAt) ? { at: reads.nextReadAt, cause: reads.cause } : null;
    if (!record.closed) record.expect(awaiting, nextRead);
    this.#publisher.publish();
    record.notifyChanges(this.payment.attemptNumber ?? null);
    void this.#notifier?.deliver();
  }

  async #leave(): Promise<PaymentState> {
    const { record } = this.payment;
    this.#leaving = true;
    record.close();
    record.notifyChanges(this.payment.attemptNumber ?? null);
    if (record.notifications !== undefined) {
      await handOver(record.notifications.to, record.notifications.takeAll());
    }
    this.#publish('');
    for (;;) {
      const queued = this.queue.take();
      queued?.refuse(new Refused('Closed', 'This payment is closed. Nothing was done.'));
      if (queued === undefined) {
        await condition(() => allHandlersFinished() || !this.queue.empty);
        if (this.queue.empty) return this.payment.view();
      }
    }
  }
}

async function executeCommand(
  command: Exclude<Command, { name: 'acknowledgeAttention' }>,
  takes: Takes,
): Promise<void> {
  // One arm a command: the compiler then knows which message belongs to which handler.
  switch (command.name) {
    case 'retryPayout':
      return takes.retryPayout?.(command.message);
    case 'abandonPayout':
      return takes.abandonPayout?.(command.message);
    case 'resolveSubmission':
      return takes.resolveSubmission?.(command.message);
    case 'provideCard':
      return takes.provideCard?.(command.message);
    case 'completeThreeDSecure':
      return takes.completeThreeDSecure?.(command.message);
    case 'retryRefund':
      return takes.retryRefund?.(command.message);
    case 'resolveRefund':
      return takes.resolveRefund?.(command.message);
  }
}

async function read<Reading>(call: () => Promise<Reading>): Promise<Read<Reading>> {
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

/** A creating call without an outcome may have had its effect, but for a card that no gateway took up in time. */
function withoutAnswer(error: unknown, scheduledAt: number): Submitted {
  if (!(error instanceof ActivityFailure)) throw error;
  const { cause } = error;
  const neverStarted =
    cause instanceof TimeoutFailure &&
    cause.timeoutType === 'SCHEDULE_TO_START' &&
    Date.now() < scheduledAt + cardDeskScheduleToStartMs + scheduleToStartSlackMs;
  if (neverStarted) {
    return { kind: 'card_gone', reason: 'The gateway that held the card is gone. Nothing was sent.' };
  }
  return {
    kind: 'unknown',
    reason: 'The worker that made the call gave no answer.',
    verifyFrom: Math.max(Date.now(), scheduledAt + creatingActivity.startToCloseMs),
    runWasReset: false,
  };
}
