import { ApplicationFailure } from '@temporalio/common';
import type {
  createActivities,
  createCardStoreActivities,
  createScanningActivities,
} from '../../../activities/index.js';
import { cardStoreScheduleToStartMs, scanBackMs } from '../../../src/domain/call-limits.js';
import type { Stage } from '../../../src/domain/stage-table.js';
import { afterOutcome, type CreationOutcome, type SubmissionState } from '../../../src/domain/submission.js';
import { CommandQueue } from '../../../workflows/shared/command-queue.js';
import type {
  AnyWaiting,
  CardCalls,
  CreatingCall,
  CreatingCalls,
  PaymentContext,
  Read,
  ReadTarget,
  ScanTarget,
  Woke,
} from '../../../workflows/shared/context.js';
import { execute, executeCancel } from '../../../workflows/shared/execute.js';
import type { Payment } from '../../../workflows/shared/payment.js';
import { firstDispatch } from '../../activities/support.js';
import type { World } from './world.js';

/** The activities of this program, and who owns an identifier of the service. */
export type PlainActivities = ReturnType<typeof createActivities> &
  ReturnType<typeof createScanningActivities> & {
    readonly cardStore: { readonly taskQueue: string } & ReturnType<typeof createCardStoreActivities>;
    readonly ownerOf: (serviceId: string, exceptWorkflowId: string) => string | null;
  };

/** {@link PaymentContext} in this process: the real activities, virtual time, no Temporal. Nothing is ever reset. */
export class PlainContext implements PaymentContext {
  readonly queue = new CommandQueue();
  #cancelRequested = false;

  constructor(
    private readonly payment: Payment,
    private readonly world: World,
    private readonly activities: PlainActivities,
  ) {}

  get run() {
    return this.payment.run;
  }

  now(): number {
    return this.world.now;
  }

  hasPassed(at: number): boolean {
    return this.now() >= at;
  }

  requestCancel(): void {
    this.#cancelRequested = true;
  }

  async wait(stage: Stage, { until, awaiting, takes = {} }: AnyWaiting): Promise<Woke> {
    const { payment } = this;
    if (payment.takes !== stage)
      throw new Error(`A payment waits for ${awaiting} in another stage than its own.`);
    for (;;) {
      const queued = this.queue.take();
      if (queued !== undefined) {
        await execute(queued, payment, takes, (what) => {
          this.#publish(what);
        });
        return 'command';
      }
      if (this.#cancelRequested) {
        this.#cancelRequested = false;
        await executeCancel(payment, takes);
        return 'command';
      }
      const at = until();
      if (this.hasPassed(at)) return 'due';
      this.#publish(awaiting, at);
      const hasWork = () => !this.queue.empty || this.#cancelRequested;
      await this.world.sleepUntil(() => (hasWork() ? -Infinity : until()));
    }
  }

  async send(state: SubmissionState, doing: string, call: CreatingCall<CreatingCalls>) {
    const { activities } = this;
    const calls: CreatingCalls = {
      createPixPayout: this.#activity(activities.createPixPayout),
      createTransferPayout: this.#activity(activities.createTransferPayout),
      createCheckout: this.#activity(activities.createCheckout),
      createThreeDSecureOrder: this.#activity(activities.createThreeDSecureOrder),
      requestRefund: this.#activity(activities.requestRefund),
      validateAccount: this.#activity(activities.validateAccount),
    };
    return this.#send(state, doing, calls, call);
  }

  async sendWithCard(
    state: SubmissionState,
    taskQueue: string,
    doing: string,
    call: CreatingCall<CardCalls>,
  ) {
    const { cardStore } = this.activities;
    if (taskQueue !== cardStore.taskQueue) {
      const goneAt = this.now() + cardStoreScheduleToStartMs;
      await this.world.sleepUntil(() => goneAt);
      return {
        kind: 'card_gone' as const,
        reason: 'The gateway that held the card is gone.',
      };
    }
    const calls: CardCalls = {
      createCardOrder: this.#activity(cardStore.createCardOrder),
      completeThreeDSecureOrder: this.#activity(cardStore.completeThreeDSecureOrder),
    };
    return this.#send(state, doing, calls, call);
  }

  readPayout(serviceId: string) {
    return this.#read(this.#activity(this.activities.readPayout), this.#readTarget(serviceId));
  }

  readPayouts<Of extends ReadTarget>(of: readonly Of[]) {
    return Promise.all(of.map(async (each) => ({ ...each, read: await this.readPayout(each.serviceId) })));
  }

  readOrder(serviceId: string) {
    return this.#read(this.#activity(this.activities.readOrder), this.#readTarget(serviceId));
  }

  async readThreeDSecureToken() {
    const token = await this.#read(
      () => this.#activity(this.activities.readThreeDSecureToken)(undefined),
      null,
    );
    return token.kind === 'read' ? token.reading : undefined;
  }

  async scanPayouts({ partner_codes = [], ...target }: ScanTarget) {
    const not_before = new Date(this.run.startedAt - scanBackMs(this.run.startedOnce)).toISOString();
    const input = { partner_codes, ...target, not_before };
    const scan = await this.#read(this.#activity(this.activities.findPayouts), input);
    return scan.kind === 'read' ? scan.reading.found : undefined;
  }

  ownerOf(serviceId: string): Promise<string | null> {
    return Promise.resolve(this.activities.ownerOf(serviceId, this.run.workflowId));
  }

  async checkInput(workflowType: 'cardOrder' | 'refund', input: unknown) {
    const check = this.#activity(this.activities.checkInput);
    return (await check({ workflow_type: workflowType, input })).problems;
  }

  wasReset(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** Nothing makes it necessary here: neither a long history nor a reset. */
  continueAsNew(): Promise<void> {
    return Promise.resolve();
  }

  async #send<Calls>(
    state: SubmissionState,
    doing: string,
    calls: Calls,
    call: (calls: Calls, once: Parameters<CreatingCall<Calls>>[1]) => Promise<CreationOutcome>,
  ) {
    this.#publish(`the answer of the service (${doing})`);
    const { runId, startedOnce } = this.run;
    const outcome = await call(calls, {
      original_execution_run_id: runId,
      rule_out_runs_before: startedOnce ? null : runId,
      rejected_generation: state.rejectedGeneration,
    });
    return afterOutcome(outcome, state, this.now(), this.payment.start.scale);
  }

  async #read<Input, Reading>(
    read: (input: Input) => Promise<Reading>,
    input: Input,
  ): Promise<Read<Reading>> {
    try {
      return { kind: 'read', reading: await read(input) };
    } catch (error) {
      if (!(error instanceof ApplicationFailure)) throw error;
      return error.type === 'NotFound'
        ? { kind: 'not_found' }
        : { kind: 'unreadable', reason: error.message };
    }
  }

  #readTarget(serviceId: string) {
    return { service_id: serviceId, original_execution_run_id: this.run.runId, asked_at: this.now() };
  }

  /** An activity as Temporal runs it, on its first dispatch. */
  #activity<Input, Result>(activity: (input: Input) => Promise<Result>): (input: Input) => Promise<Result> {
    const { runId, workflowId } = this.run;
    const dispatch = firstDispatch({ workflowExecution: { workflowId, runId } });
    return (input) => this.world.call(() => dispatch.run(activity, input));
  }

  #publish(awaiting: string, wakesAt = Infinity): void {
    const { reads, record } = this.payment;
    if (!record.closed) record.expect(awaiting, wakesAt <= reads.nextReadAt ? reads.next : null);
  }
}
