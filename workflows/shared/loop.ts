import type { SendOnceInput } from '../../src/contract/outcomes.js';
import type { PaymentState } from '../../src/contract/state.js';
import { passingMs } from '../../src/domain/cadence.js';
import {
  commandLimits,
  readingActivity,
  scanBackMs,
  scanMarginMs,
  scanningActivity,
} from '../../src/domain/call-limits.js';
import { readOf, type Called } from '../../src/domain/called.js';
import { idPrefixes } from '../../src/domain/id-prefixes.js';
import { refundHintSource } from '../../src/domain/refund.js';
import { Refused } from '../../src/domain/refused.js';
import type { Stage } from '../../src/domain/stage-table.js';
import {
  isFirstDispatch,
  submitted,
  waitsForTurn,
  type CreationOutcome,
  type SubmissionState,
  type Submitted,
} from '../../src/domain/submission.js';
import {
  resultOf,
  searched,
  type AnyWaiting,
  type CardCalls,
  type CreatingCall,
  type CreatingCalls,
  type PaymentContext,
  type ReadTarget,
  type ScanTarget,
  type Woke,
} from './context.js';
import type { CallName, Engine, How, InputOf, ResultOf } from './engine.js';
import { execute, executeCancel, underWay } from './execute.js';
import type { Payment } from './payment.js';

/** No stage is due so often, one time after the other, without a wait in between: it does nothing about it. */
const mostDueInARow = 100;

/** {@link PaymentContext} over an engine: the only loop that waits, takes commands and calls. */
export class Loop<State extends PaymentState = PaymentState> implements PaymentContext {
  /** Whether callers who only wait are to be answered now, because the run ends. */
  leaving = false;
  #cancelRequested = false;
  #dueInARow = 0;

  constructor(
    private readonly payment: Payment<State>,
    private readonly engine: Engine,
  ) {}

  get queue() {
    return this.payment.queue;
  }

  get run() {
    return this.payment.run;
  }

  /** Runs a lifecycle to its end; returns its last state, which is the result of the workflow. */
  async live(lifecycle: () => Promise<void>): Promise<State> {
    this.#publish(underWay);
    await lifecycle();
    return this.#leave();
  }

  now(): number {
    return this.run.now();
  }

  /** Shows what has come in while a step is under way. */
  show(): void {
    this.engine.publish(true);
  }

  requestCancel(): void {
    this.#cancelRequested = true;
  }

  async wait(stage: Stage, { until, awaiting, onTurn, takes = {} }: AnyWaiting): Promise<Woke> {
    if (this.payment.takes !== stage)
      throw new Error(`A payment waits in a stage that it is not in: ${awaiting}.`);
    for (;;) {
      const queued = this.queue.take();
      if (queued !== undefined) {
        await execute(queued, this.payment, takes, (what) => {
          this.#publish(what);
        });
        return 'command';
      }
      if (this.#cancelRequested) {
        this.#cancelRequested = false;
        await executeCancel(this.payment, takes);
        return 'command';
      }
      const at = until();
      if (this.now() >= at) {
        this.#dueInARow += 1;
        if (this.#dueInARow > mostDueInARow)
          throw new Error(`A stage is due and does nothing about it: ${awaiting}.`);
        return 'due';
      }
      this.#dueInARow = 0;
      this.#publish(awaiting, at);
      if (this.engine.needsNewRun()) await this.continueAsNew();
      const wakes = () => until() < at || this.#hasWork;
      if (onTurn === undefined) await this.engine.sleepUntil(at, wakes, awaiting);
      else if (await this.engine.sleepUntilTurn(at, wakes, awaiting)) onTurn();
    }
  }

  /** Goes on here when a command comes in before the handlers under way have ended; that one is executed first. */
  async continueAsNew(): Promise<void> {
    this.leaving = true;
    await this.engine.settled(() => !this.queue.empty);
    if (this.queue.empty) await this.engine.newRun(this.payment.snapshot());
    this.leaving = false;
  }

  send(state: SubmissionState, doing: string, call: CreatingCall<CreatingCalls>): Promise<Submitted> {
    const how = { summary: doing };
    const calls: CreatingCalls = {
      createPixPayout: this.#calling('createPixPayout', how),
      createTransferPayout: this.#calling('createTransferPayout', how),
      createCheckout: this.#calling('createCheckout', how),
      createThreeDSecureOrder: this.#calling('createThreeDSecureOrder', how),
      requestRefund: this.#calling('requestRefund', how),
      validateAccount: this.#calling('validateAccount', how),
    };
    return this.#send({ state, doing, withCard: false }, (once) => call(calls, once));
  }

  sendWithCard(state: SubmissionState, taskQueue: string, doing: string, call: CreatingCall<CardCalls>) {
    const how = { summary: doing, taskQueue };
    const calls: CardCalls = {
      createCardOrder: this.#calling('createCardOrder', how),
      completeThreeDSecureOrder: this.#calling('completeThreeDSecureOrder', how),
    };
    return this.#send({ state, doing, withCard: true }, (once) => call(calls, once));
  }

  async readPayout(serviceId: string, summary: string) {
    return readOf(await this.engine.call('readPayout', this.#readTarget(serviceId), this.#reading(summary)));
  }

  readPayouts<Of extends ReadTarget>(of: readonly Of[]) {
    return Promise.all(
      of.map(async (each) => ({ ...each, read: await this.readPayout(each.serviceId, each.doing) })),
    );
  }

  async readOrder(serviceId: string) {
    const how = this.#reading('read the order');
    return readOf(await this.engine.call('readOrder', this.#readTarget(serviceId), how));
  }

  async readThreeDSecureToken() {
    const how = this.#reading("get a token for the customer's browser");
    const called = await this.engine.call('readThreeDSecureToken', undefined, how);
    return called.kind === 'completed' ? called.result : undefined;
  }

  async scanPayouts({ partner_codes = [], since, ...target }: ScanTarget, summary: string) {
    const { startedAt, startedOnce } = this.run;
    const from = since === undefined ? startedAt - scanBackMs(startedOnce, target) : since - scanMarginMs;
    const not_before = new Date(from).toISOString();
    // A scan that a command waits for is over by the deadline of the command.
    const leftMs = this.queue.deadline - this.now() - commandLimits.readsMs;
    const withinMs = Math.min(scanningActivity.startToCloseMs, Math.max(1_000, leftMs));
    const how = { summary, ...(target.for_command === true && { withinMs }) };
    const input = { partner_codes, ...target, not_before, ...(since !== undefined && { is_further: true }) };
    const called = await this.engine.call('findPayouts', input, how);
    return called.kind === 'completed' ? called.result.found : undefined;
  }

  async ownerOf(service_id: string) {
    const target = { service_id, except_workflow_id: this.run.workflowId };
    const called = await this.engine.call('findOwner', target, { summary: 'search who owns the identifier' });
    return searched(called).workflow_id;
  }

  async claim(service_id: string, searchable_from: string) {
    const target = { service_id, workflow_id: this.run.workflowId, searchable_from };
    const called = await this.engine.call('claimIdentifier', target, { summary: 'claim the identifier' });
    return searched(called).workflow_id;
  }

  hintOrder(partnerCode: string, status: string) {
    return this.engine.hint(`${idPrefixes.order}${partnerCode}`, { source: refundHintSource, status });
  }

  async checkInput(input: unknown) {
    const how = { summary: 'check the request' };
    return resultOf(await this.engine.call('checkInput', { input }, how)).problems;
  }

  async wasReset() {
    const how = { summary: 'see whether this run is a reset' };
    const target = { original_execution_run_id: this.run.originalRunId };
    return resultOf(await this.engine.call('checkRun', target, how)).is_reset;
  }

  get #hasWork(): boolean {
    return !this.queue.empty || this.#cancelRequested;
  }

  #calling<Name extends CallName>(name: Name, how: How) {
    return (input: InputOf<Name>): Promise<Called<ResultOf<Name>>> => this.engine.call(name, input, how);
  }

  async #send(
    { doing, state, withCard }: { state: SubmissionState; doing: string; withCard: boolean },
    call: (once: SendOnceInput) => Promise<Called<CreationOutcome>>,
  ): Promise<Submitted> {
    if (state.inLine) return waitsForTurn(state);
    this.#publish(`the answer of the service (${doing})`);
    const { firstRunId, originalRunId, startedOnce } = this.run;
    const called = await call({
      original_execution_run_id: originalRunId,
      rule_out_runs_before: startedOnce ? null : firstRunId,
      rejected_generation: state.rejectedGeneration,
      ended_unmarked: state.endedUnmarked,
    });
    return submitted(await this.#asRecorded(called), state, {
      now: this.now(),
      scale: this.payment.start.scale,
      withCard,
    });
  }

  /** When no worker took the call and the workflow may have learned of that late, reads from the history how long it took. */
  async #asRecorded(called: Called<CreationOutcome>): Promise<Called<CreationOutcome>> {
    if (called.kind !== 'timed_out' || called.how !== 'never_started' || isFirstDispatch(called))
      return called;
    const how = { summary: 'read when the call timed out' };
    const read = await this.engine.call('readTimeout', undefined, how);
    const tookMs = read.kind === 'completed' ? read.result.timed_out_after_ms : null;
    return tookMs === null ? called : { ...called, tookMs };
  }

  /** A command that reads is answered soon, even where a worker has died. */
  #reading(summary: string): How {
    return this.queue.deadline === Infinity
      ? { summary }
      : { summary, withinMs: readingActivity.startToCloseMs };
  }

  #readTarget(serviceId: string) {
    return {
      service_id: serviceId,
      partner_code: this.payment.record.partnerCode,
      original_execution_run_id: this.run.originalRunId,
    };
  }

  /** @param wakesAt when a wait ends by itself: a read that a hint asked for may be of no use in this stage */
  #publish(awaiting: string, wakesAt = Infinity): void {
    const { reads, record } = this.payment;
    record.expect(awaiting, wakesAt <= reads.nextReadAt ? reads.next : null);
    record.notifyChanges(this.payment.attemptNumber());
    this.engine.publish(wakesAt - this.now() <= passingMs(this.payment.start.scale));
  }

  async #leave(): Promise<State> {
    const { payment, queue } = this;
    const { record } = payment;
    this.leaving = true;
    record.close();
    record.notifyChanges(payment.attemptNumber());
    await this.engine.handOver();
    this.#publish('');
    for (;;) {
      const queued = queue.take();
      queued?.refuse(new Refused('Closed', 'This payment is closed. Nothing was done.'));
      queue.done();
      if (queued === undefined) {
        await this.engine.settled(() => !queue.empty);
        if (queue.empty) return payment.view();
      }
    }
  }
}
