import type { ThreeDSecureToken } from '../../src/contract/messages.js';
import type { ReadInRun } from '../../src/contract/outcomes.js';
import type { FieldProblem } from '../../src/contract/problems.js';
import type { Stage } from '../../src/domain/stage-table.js';
import type { SubmissionState, Submitted } from '../../src/domain/submission.js';
import { CommandQueue } from '../../workflows/shared/command-queue.js';
import type {
  AnyWaiting,
  CardCalls,
  CreatingCall,
  CreatingCalls,
  PaymentContext,
  PayoutRead,
  Read,
  ReadTarget,
  Scan,
  ScanTarget,
  Woke,
} from '../../workflows/shared/context.js';
import { execute, executeCancel } from '../../workflows/shared/execute.js';
import type { Payment } from '../../workflows/shared/payment.js';
import type { Run } from '../../workflows/shared/run.js';
import { halted, type Driver } from './driver.js';
import {
  completionRequest,
  orderRequest,
  payoutRequest,
  refundRequest,
  validationRequest,
} from './requests.js';
import { sendByDriver, type RequestingCall } from './simulated-sending.js';
import { Violation } from './violation.js';

/** {@link PaymentContext} without Temporal: on a virtual clock, one lifecycle in a plain process. */
export class SimulatedContext implements PaymentContext {
  readonly queue = new CommandQueue();
  #cancelRequested = false;
  #dueAtOnce = 0;

  constructor(
    readonly run: Run,
    private readonly payment: Payment,
    private readonly driver: Driver,
  ) {}

  now(): number {
    return this.driver.now();
  }

  hasPassed(at: number): boolean {
    return this.now() >= at;
  }

  requestCancel(): void {
    this.#cancelRequested = true;
  }

  /** Whether a wait has to go on, because a command or a cancel request has come in. */
  get hasWork(): boolean {
    return !this.queue.empty || this.#cancelRequested;
  }

  async wait(stage: Stage, { until, awaiting, takes = {} }: AnyWaiting): Promise<Woke> {
    if (this.payment.takes !== stage) throw new Violation('a payment waits in its own stage', awaiting);
    for (;;) {
      const queued = this.queue.take();
      if (queued !== undefined) {
        await execute(queued, this.payment, takes, (awaiting) => {
          this.#publish(awaiting);
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
        this.#notAgainAndAgain(awaiting);
        return 'due';
      }
      this.#dueAtOnce = 0;
      this.#publish(awaiting, at);
      if (this.driver.suggestsContinueAsNew()) await this.continueAsNew();
      await halted(this.driver, (go) => ({ kind: 'wait', until, awaiting, takes, go }));
    }
  }

  send(state: SubmissionState, doing: string, call: CreatingCall<CreatingCalls>): Promise<Submitted> {
    return this.#send(state, doing, (perform, once) => {
      const payoutCall = (input: Parameters<CreatingCalls['createPixPayout']>[0]) =>
        perform(payoutRequest(input));
      return call(
        {
          createPixPayout: payoutCall,
          createTransferPayout: payoutCall,
          createCheckout: ({ order }) => perform(orderRequest('checkout', order)),
          createThreeDSecureOrder: ({ order }) => perform(orderRequest('3ds', order)),
          requestRefund: ({ service_id: id }) => perform(refundRequest(id)),
          validateAccount: ({ validation }) => perform(validationRequest(validation)),
        },
        once,
      );
    });
  }

  sendWithCard(
    state: SubmissionState,
    _taskQueue: string,
    doing: string,
    call: CreatingCall<CardCalls>,
  ): Promise<Submitted> {
    return this.#send(state, doing, (perform, once) =>
      call(
        {
          createCardOrder: ({ order }) => perform(orderRequest('card', order)),
          completeThreeDSecureOrder: ({ service_id: id }) => perform(completionRequest(id)),
        },
        once,
      ),
    );
  }

  async readPayout(serviceId: string, doing: string) {
    const read = await this.#call(doing, 400, () => this.#inRun(this.driver.service.readPayout(serviceId)));
    this.driver.service.showed('read', readingsOf(read));
    return read;
  }

  /** Each at its own moment, all of them under way at once. */
  async readPayouts<Of extends ReadTarget>(of: readonly Of[]): Promise<(Of & PayoutRead)[]> {
    if (of.length === 0) return [];
    // By their places: two attempts may have been answered with one identifier.
    const answers = new Map<number, PayoutRead['read']>();
    const reads = await this.#calls<typeof answers>('read the attempts', (done) => {
      for (const [place, { serviceId }] of of.entries()) {
        this.#later(400, () => {
          answers.set(place, this.#inRun(this.driver.service.readPayout(serviceId)));
          if (answers.size === of.length) done(answers);
        });
      }
    });
    this.driver.service.showed('read', [...reads.values()].flatMap(readingsOf));
    return of.flatMap((each, place) => {
      const read = reads.get(place);
      return read === undefined ? [] : [{ ...each, read }];
    });
  }

  readOrder(serviceId: string) {
    return this.#call('read the order', 400, () => this.#inRun(this.driver.service.readOrder(serviceId)));
  }

  readThreeDSecureToken() {
    return this.#call<ThreeDSecureToken | undefined>('get a token', 400, () => undefined);
  }

  async scanPayouts(target: ScanTarget, doing: string) {
    const { service } = this.driver;
    const listed =
      service.plan.slowList === true
        ? await this.#calls<Scan>(doing, (done) => {
            const begun = service.scan(target);
            this.#later(120_000, () => {
              done(begun);
            });
          })
        : await this.#call(doing, 5_000, () => service.scan(target));
    this.driver.service.showed('list', listed ?? []);
    return listed;
  }

  async ownerOf(serviceId: string) {
    const { foreign, foreignOrder } = this.driver.service;
    const isForeign = serviceId === foreign.id || serviceId === foreignOrder.id;
    const owner = await this.#call('look who owns an identifier', 100, () =>
      isForeign ? 'payout-another' : null,
    );
    return owner;
  }

  checkInput(): Promise<FieldProblem[]> {
    return this.#call('check the request', 20, () => []);
  }

  wasReset() {
    return this.#call('see whether this run is a reset', 20, () => this.driver.isResetRun());
  }

  async continueAsNew(): Promise<void> {
    if (!this.queue.empty) return;
    // The lifecycle ends here; a fresh one begins with its snapshot.
    await halted(this.driver, () => ({ kind: 'continue_as_new' }));
  }

  #inRun<Reading>(read: Read<Reading>): Read<ReadInRun<Reading>> {
    if (read.kind !== 'read') return read;
    const reset = this.driver.isResetRun() ? { reset_run_id: this.run.runId } : {};
    return { ...read, reading: { ...read.reading, ...reset } };
  }

  /** A stage that is due, and does nothing about it, would go round for ever. */
  #notAgainAndAgain(awaiting: string): void {
    this.#dueAtOnce += 1;
    if (this.#dueAtOnce > 100) throw new Violation('a stage acts when it is due', `it waits for ${awaiting}`);
  }

  #send(state: SubmissionState, doing: string, call: RequestingCall): Promise<Submitted> {
    this.#publish(`the answer of the service (${doing})`);
    return sendByDriver(this.driver, state, doing, call);
  }

  #call<Result>(doing: string, upToMs: number, result: () => Result): Promise<Result> {
    return this.#calls<Result>(doing, (done) => {
      this.#later(upToMs, () => {
        done(result());
      });
    });
  }

  #calls<Result>(doing: string, start: (done: (result: Result) => void) => void): Promise<Result> {
    return halted<Result>(this.driver, (go) => ({ kind: 'call', doing, start, go }));
  }

  #later(upToMs: number, act: () => void): void {
    this.driver.service.clock.after(5 + this.driver.random() * upToMs, act);
  }

  #publish(awaiting: string, wakesAt = Infinity): void {
    const { record, reads } = this.payment;
    const nextRead = wakesAt <= reads.nextReadAt ? reads.next : null;
    if (!record.closed) record.expect(awaiting, nextRead);
  }
}

function readingsOf(read: PayoutRead['read']) {
  return read.kind === 'read' ? [read.reading] : [];
}
