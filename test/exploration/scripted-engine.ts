import type { Called } from '../../src/domain/called.js';
import type { CallName, InputOf, ResultOf } from '../../workflows/shared/engine.js';
import { Loop } from '../../workflows/shared/loop.js';
import type { Payment } from '../../workflows/shared/payment.js';
import { Violation } from '../simulation/violation.js';
import { calledOf, type Activities } from '../support/called.js';
import { QuietEngine } from '../support/quiet-engine.js';
import { activitiesOf, type Answers } from './answers.js';

/** Where a step ends: the lifecycle waits until then, goes on in a new run, or is over. */
export type Halt = { kind: 'waits'; until: number } | { kind: 'continues_as_new' } | { kind: 'ended' };

/** A read that failed is made again later: a deadline and a change of stage may each bring one forward. */
const mostFailedAtOnce = 6;

/** An engine for one step of a lifecycle: from one wait to the next. */
export class ScriptedEngine extends QuietEngine {
  readonly loop: Loop;
  /** Whether the wait that comes first ends because its time comes. */
  timePasses = false;
  /** Whether the run is so long that the payment goes on in a new one. */
  runIsLong = false;
  readonly #activities: Activities;
  #halted: (halt: Halt) => void = () => undefined;
  #failed: (reason: Error) => void = () => undefined;
  #failedAtOnce = 0;
  #lastFailed: object | undefined;

  constructor(
    private readonly payment: Payment,
    private readonly clock: { now: number },
    answers: Answers,
  ) {
    super();
    this.loop = new Loop(payment, this);
    this.#activities = activitiesOf(answers, payment.run.runId);
  }

  /** Lets a lifecycle go on to where it stands still. */
  live(lifecycle: (loop: Loop) => Promise<void>): Promise<Halt> {
    return new Promise((resolve, reject) => {
      this.#halted = resolve;
      this.#failed = reject;
      this.loop
        .live(() => lifecycle(this.loop))
        .then(
          () => {
            resolve({ kind: 'ended' });
          },
          (error: unknown) => {
            reject(
              error instanceof Violation ? error : new Violation('a lifecycle throws nothing', String(error)),
            );
          },
        );
    });
  }

  /** Ends the step. */
  fail(reason: Error): void {
    this.#failed(reason);
  }

  sleepUntil(at: number, _wakes: () => boolean, awaiting: string): Promise<void> {
    if (this.timePasses && Number.isFinite(at)) {
      this.timePasses = false;
      this.clock.now = at;
      return Promise.resolve();
    }
    if (at === Infinity && this.payment.record.attention === null) {
      throw new Violation('a payment is woken or needs an operator', awaiting);
    }
    return this.#stop({ kind: 'waits', until: at });
  }

  call<Name extends CallName>(name: Name, input: InputOf<Name>): Promise<Called<ResultOf<Name>>> {
    this.#pausesAfterFailedReads();
    return calledOf<ResultOf<Name>>(
      () => this.#activities[name](input),
      () => this.clock.now,
    );
  }

  needsNewRun(): boolean {
    return this.runIsLong;
  }

  newRun(): Promise<never> {
    return this.#stop({ kind: 'continues_as_new' });
  }

  #pausesAfterFailedReads(): void {
    const { lastRead, unreadableSince } = this.payment.record.data;
    if (unreadableSince === null || lastRead?.at !== this.clock.now || lastRead === this.#lastFailed) return;
    this.#lastFailed = lastRead;
    this.#failedAtOnce += 1;
    if (this.#failedAtOnce > mostFailedAtOnce)
      throw new Violation('a read that failed is made again after a pause', String(lastRead.cause));
  }

  #stop(halt: Halt): Promise<never> {
    this.#halted(halt);
    // What follows is another step.
    return new Promise(() => undefined);
  }
}
