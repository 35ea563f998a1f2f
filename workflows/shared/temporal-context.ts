import { allHandlersFinished, CancellationScope, condition } from '@temporalio/workflow';
import type { PaymentState } from '../../src/contract/state.js';
import { Refused } from '../../src/domain/refused.js';
import { CommandQueue } from './command-queue.js';
import type { AnyWaiting, PaymentContext, Woke } from './context.js';
import type { Stage } from '../../src/domain/stage-table.js';
import { execute, executeCancel, underWay } from './execute.js';
import { goOnInNewRun, needsNewRun } from './new-run.js';
import { handOver, Notifier } from './notifier.js';
import type { Payment } from './payment.js';
import { Publisher } from './publisher.js';
import { Timers } from './timers.js';
import { TemporalCalls } from './temporal-calls.js';
import { runSnapshot } from './temporal-run.js';

/** What stands for no longer than this before the next read is shown in the state alone, not in search attributes. */
const passingMs = 10_000;

/** {@link PaymentContext} on Temporal. */
export class TemporalContext<State extends PaymentState> extends TemporalCalls implements PaymentContext {
  readonly queue = new CommandQueue();
  readonly timers = new Timers();
  /** Whether callers who only wait are to be answered now, because the run ends. */
  leaving = false;
  readonly #publisher: Publisher;
  readonly #notifier: Notifier | undefined;
  #cancel: 'none' | 'requested' | 'seen' = 'none';

  /** @param input of the workflow, with which it continues as new */
  constructor(
    private readonly payment: Payment<State>,
    private readonly input: unknown,
  ) {
    super(payment.run, payment.start.scale);
    const { record } = payment;
    this.#publisher = new Publisher(payment);
    if (record.notifications !== undefined) {
      this.#notifier = new Notifier(record.notifications, (notification, reason) => {
        record.notDelivered(notification, reason);
      });
    }
    CancellationScope.current().cancelRequested.catch(() => {
      this.#cancel = 'requested';
    });
  }

  /** Runs a lifecycle to its end; answers its last state, which is the result of the workflow. */
  live(lifecycle: () => Promise<void>): Promise<State> {
    return CancellationScope.nonCancellable(async () => {
      this.publish(underWay);
      await lifecycle();
      return this.#leave();
    });
  }

  async wait(_stage: Stage, { until, awaiting, takes = {} }: AnyWaiting): Promise<Woke> {
    for (;;) {
      const queued = this.queue.take();
      if (queued !== undefined) {
        await execute(queued, this.payment, takes, (awaiting) => {
          this.publish(awaiting);
        });
        return 'command';
      }
      if (this.#cancel === 'requested') {
        this.#cancel = 'seen';
        await executeCancel(this.payment, takes);
        return 'command';
      }
      const at = until();
      if (this.hasPassed(at)) return 'due';
      this.publish(awaiting, at);
      if (needsNewRun()) await this.continueAsNew();
      await this.timers.until(at, () => this.#mustWake(until() < at), awaiting);
    }
  }

  /**
   * What was set before the last call has passed if it had then, or else once a timer for it has fired. A read that is
   * asked for is due at once.
   */
  hasPassed(at: number): boolean {
    const { askedAt } = this.payment.reads;
    return at <= Math.max(this.passed, this.timers.firedAt, askedAt) || at === this.now();
  }

  /** Goes on here when a command comes in before the handlers under way have ended; that one is executed first. */
  async continueAsNew(): Promise<void> {
    this.leaving = true;
    await condition(() => allHandlersFinished() || !this.queue.empty);
    if (this.queue.empty) {
      const snapshot = { ...this.payment.snapshot(), run: runSnapshot(this.run) };
      await goOnInNewRun<(input: unknown, snapshot: object) => Promise<State>>(this.input, snapshot);
    }
    this.leaving = false;
  }

  /** @param wakesAt when a wait ends by itself: a read that a hint asked for may be of no use in this stage */
  protected override publish(awaiting: string, wakesAt?: number): void {
    const { reads, record } = this.payment;
    record.expect(awaiting, wakesAt !== undefined && wakesAt <= reads.nextReadAt ? reads.next : null);
    const isPassing =
      wakesAt !== undefined && wakesAt - this.now() <= Math.min(passingMs, this.payment.scaled(passingMs));
    this.#publisher.publish(isPassing);
    record.notifyChanges(this.payment.attemptNumber());
    void this.#notifier?.deliver();
  }

  #mustWake(isSooner: boolean): boolean {
    const isCancelled = this.#cancel === 'requested';
    return isSooner || !this.queue.empty || isCancelled || needsNewRun();
  }

  async #leave(): Promise<State> {
    const { record } = this.payment;
    this.leaving = true;
    record.close();
    record.notifyChanges(this.payment.attemptNumber());
    if (record.notifications !== undefined) {
      await handOver(record.notifications.to, record.notifications.takeAll());
    }
    this.publish('');
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
