import type { OrderReading, PayoutReading, SendOnceInput } from '../../src/contract/outcomes.js';
import type { Stage } from '../../src/domain/stage-table.js';
import {
  afterOutcome,
  type CreationOutcome,
  type SubmissionState,
  type Submitted,
} from '../../src/domain/submission.js';
import { CommandQueue } from '../../workflows/shared/command-queue.js';
import type {
  AnyWaiting,
  CardCalls,
  CreatingCall,
  CreatingCalls,
  PaymentContext,
  Read,
  ReadTarget,
  Scan,
  ScanTarget,
  Woke,
} from '../../workflows/shared/context.js';
import { execute, executeCancel } from '../../workflows/shared/execute.js';
import type { Payment } from '../../workflows/shared/payment.js';
import { Violation } from '../simulation/violation.js';

/** What a model answers to the calls of a lifecycle; no call takes any time. */
export type Answers = {
  readonly calls: CreatingCalls & CardCalls;
  readPayout(serviceId: string): Read<PayoutReading>;
  readOrder(serviceId: string): Read<OrderReading>;
  scan(target: ScanTarget): Scan;
  ownerOf(serviceId: string): string | null;
  wasReset(): boolean;
};

/** Where a step ends: the lifecycle waits until then, goes on in a new run, or is over. */
export type Halt = { kind: 'waits'; until: number } | { kind: 'continues_as_new' } | { kind: 'ended' };

/** A stage that is due, and does nothing about it, would go round for ever. */
const mostDue = 50;
/** A read that failed is made again later: a deadline and a change of stage may each bring one forward. */
const mostFailedAtOnce = 3;

/** {@link PaymentContext} for one step of a lifecycle: from one wait to the next. */
export class ScriptedContext implements PaymentContext {
  readonly queue = new CommandQueue();
  /** Whether the wait that comes first ends because its time comes. */
  timePasses = false;
  cancelRequested = false;
  /** Whether the run is so long that the payment goes on in a new one. */
  runIsLong = false;
  #halted: (halt: Halt) => void = () => undefined;
  #failed: (reason: Error) => void = () => undefined;
  #due = 0;
  #failedAtOnce = 0;

  constructor(
    private readonly payment: Payment,
    private readonly clock: { now: number },
    private readonly answers: Answers,
  ) {}

  get run() {
    return this.payment.run;
  }

  /** Lets a lifecycle go on to where it stands still. */
  live(lifecycle: () => Promise<void>): Promise<Halt> {
    return new Promise((resolve, reject) => {
      this.#halted = resolve;
      this.#failed = reject;
      lifecycle().then(() => {
        resolve({ kind: 'ended' });
      }, reject);
    });
  }

  /** Ends the step. */
  fail(reason: Error): void {
    this.#failed(reason);
  }

  now(): number {
    return this.clock.now;
  }

  hasPassed(at: number): boolean {
    return this.now() >= at;
  }

  async wait(stage: Stage, { until, awaiting, takes = {} }: AnyWaiting): Promise<Woke> {
    const { clock, payment, queue } = this;
    if (payment.takes !== stage) throw new Violation('a payment waits in its own stage', awaiting);
    const queued = queue.take();
    if (queued !== undefined) {
      await execute(queued, payment, takes, () => undefined);
      return 'command';
    }
    if (this.cancelRequested) {
      this.cancelRequested = false;
      await executeCancel(payment, takes);
      return 'command';
    }
    const at = until();
    if (this.timePasses && at > clock.now && Number.isFinite(at)) clock.now = at;
    this.timePasses = false;
    if (this.hasPassed(at)) {
      this.#due += 1;
      if (this.#due > mostDue) throw new Violation('a stage acts when it is due', awaiting);
      this.#pausesAfterFailedReads(awaiting);
      return 'due';
    }
    if (this.runIsLong) await this.continueAsNew();
    if (at === Infinity && payment.record.attention === null) {
      throw new Violation('a payment is woken or needs an operator', awaiting);
    }
    return this.#stop({ kind: 'waits', until: at });
  }

  #pausesAfterFailedReads(awaiting: string): void {
    const { lastRead, unreadableSince } = this.payment.record.data;
    if (unreadableSince === null || lastRead?.at !== this.clock.now) return;
    this.#failedAtOnce += 1;
    if (this.#failedAtOnce > mostFailedAtOnce)
      throw new Violation('a read that failed is made again after a pause', awaiting);
  }

  send(state: SubmissionState, _doing: string, call: CreatingCall<CreatingCalls>): Promise<Submitted> {
    return this.#send(state, (once) => call(this.answers.calls, once));
  }

  sendWithCard(
    state: SubmissionState,
    _taskQueue: string,
    _doing: string,
    call: CreatingCall<CardCalls>,
  ): Promise<Submitted> {
    return this.#send(state, (once) => call(this.answers.calls, once));
  }

  readPayout(serviceId: string) {
    return Promise.resolve(this.#inRun(this.answers.readPayout(serviceId)));
  }

  readPayouts<Of extends ReadTarget>(of: readonly Of[]) {
    return Promise.all(of.map(async (each) => ({ ...each, read: await this.readPayout(each.serviceId) })));
  }

  readOrder(serviceId: string) {
    return Promise.resolve(this.#inRun(this.answers.readOrder(serviceId)));
  }

  readThreeDSecureToken() {
    return Promise.resolve(undefined);
  }

  scanPayouts(target: ScanTarget) {
    return Promise.resolve(this.answers.scan(target));
  }

  ownerOf(serviceId: string) {
    return Promise.resolve(this.answers.ownerOf(serviceId));
  }

  checkInput() {
    return Promise.resolve([]);
  }

  wasReset() {
    return Promise.resolve(this.answers.wasReset());
  }

  async continueAsNew(): Promise<void> {
    if (this.queue.empty) await this.#stop({ kind: 'continues_as_new' });
  }

  #inRun<Reading>(read: Read<Reading>): Read<Reading> {
    if (read.kind !== 'read' || !this.answers.wasReset()) return read;
    return { ...read, reading: { ...read.reading, reset_run_id: this.run.runId } };
  }

  async #send(state: SubmissionState, call: (once: SendOnceInput) => Promise<CreationOutcome>) {
    const outcome = await call({
      original_execution_run_id: '',
      rule_out_runs_before: null,
      rejected_generation: state.rejectedGeneration,
    });
    return afterOutcome(outcome, state, this.now(), 1);
  }

  #stop(halt: Halt): Promise<never> {
    this.#halted(halt);
    // What follows is another step.
    return new Promise(() => undefined);
  }
}
