import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  condition,
  getExternalWorkflowHandle,
  TemporalFailure,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { StatusHint } from '../../src/contract/messages.js';
import type { PaymentState } from '../../src/contract/state.js';
import type { Called } from '../../src/domain/called.js';
import { statusHintSignal } from '../messages.js';
import { scheduled, takeTurn } from './activities.js';
import { askedAtOf, goOnAt } from './clock.js';
import type { CallName, Engine, How, InputOf, ResultOf } from './engine.js';
import { goOnInNewRun, needsNewRun } from './new-run.js';
import { handOver, Notifier } from './notifier.js';
import type { Payment } from './payment.js';
import { Publisher } from './publisher.js';
import { runSnapshot } from './temporal-run.js';
import { Timers } from './timers.js';

/** {@link Engine} on Temporal: each call is an activity. */
export class TemporalEngine<State extends PaymentState> implements Engine {
  readonly timers = new Timers();
  /** The workflow's time when the last call was made, in milliseconds since the epoch; that of its start before. */
  #passed = workflowInfo().startTime.getTime();
  /** The place in the queue of turns, while the payment has one. */
  #turn: { hasCome: boolean } | undefined;
  readonly #publisher: Publisher;
  readonly #notifier: Notifier | undefined;

  /** @param input of the workflow, with which it continues as new */
  constructor(
    private readonly payment: Payment<State>,
    private readonly input: unknown,
  ) {
    const { record } = payment;
    this.#publisher = new Publisher(payment);
    if (record.notifications !== undefined) {
      this.#notifier = new Notifier(record.notifications, (notification, reason) => {
        record.notDelivered(notification, reason);
      });
    }
  }

  /** What was set before the last call has passed if it had then, or else once a timer for it has fired. */
  hasPassed(at: number): boolean {
    return at <= Math.max(this.#passed, this.timers.firedAt) || at === this.payment.now();
  }

  sleepUntil(at: number, wakes: () => boolean, summary: string): Promise<void> {
    return this.timers.until(at, () => wakes() || needsNewRun(), summary);
  }

  async sleepUntilTurn(at: number, wakes: () => boolean, summary: string): Promise<boolean> {
    this.#turn ??= this.#takeTurn();
    const turn = this.#turn;
    await this.timers.until(at, () => turn.hasCome || wakes() || needsNewRun(), summary);
    if (turn.hasCome) this.#turn = undefined;
    return turn.hasCome;
  }

  #takeTurn() {
    const turn = { hasCome: false };
    const come = () => {
      turn.hasCome = true;
    };
    // An operator may fail it by hand.
    void takeTurn('wait for the turn to send').then(come, come);
    return turn;
  }

  async call<Name extends CallName>(
    name: Name,
    input: InputOf<Name>,
    how: How,
  ): Promise<Called<ResultOf<Name>>> {
    const before = this.#passed;
    const scheduledAt = Date.now();
    const tookMs = () => Date.now() - scheduledAt;
    this.#passed = Math.max(before, this.payment.now());
    /** What follows from a read counts from when it was requested, in a replay as well. */
    const goOnFrom = (askedAt: number | undefined) => {
      if (askedAt === undefined) return;
      goOnAt(askedAt);
      this.#passed = Math.max(before, askedAt);
    };
    try {
      const result = await scheduled<ResultOf<Name>>(name, input === undefined ? [] : [input], how);
      goOnFrom(askedAtOf(result));
      return { kind: 'completed', result, tookMs: tookMs() };
    } catch (error) {
      // A local activity's failure comes as it was thrown, that of a regular one wrapped.
      const cause = error instanceof ActivityFailure ? error.cause : error;
      if (!(cause instanceof TemporalFailure)) throw error;
      if (cause instanceof TimeoutFailure) {
        return {
          kind: 'timed_out',
          how: endOf(cause),
          heartbeat: cause.lastHeartbeatDetails,
          tookMs: tookMs(),
        };
      }
      const isOurs = cause instanceof ApplicationFailure;
      if (isOurs) goOnFrom(askedAtOf(cause.details?.[0]));
      const type = (isOurs ? cause.type : undefined) ?? cause.name;
      return { kind: 'failed', type, message: cause.message, tookMs: tookMs() };
    }
  }

  async hint(workflowId: string, hint: StatusHint): Promise<void> {
    try {
      await getExternalWorkflowHandle(workflowId).signal(statusHintSignal, hint);
    } catch (error) {
      if (!(error instanceof TemporalFailure)) throw error;
    }
  }

  publish(isPassing: boolean): void {
    this.#publisher.publish(isPassing);
    void this.#notifier?.deliver();
  }

  needsNewRun(): boolean {
    return needsNewRun();
  }

  async settled(wakes: () => boolean): Promise<void> {
    await condition(() => allHandlersFinished() || wakes());
  }

  newRun(snapshot: object): Promise<never> {
    const continued = { ...snapshot, run: runSnapshot(this.payment.run) };
    return goOnInNewRun<(input: unknown, snapshot: object) => Promise<State>>(this.input, continued);
  }

  async handOver(): Promise<void> {
    const { notifications } = this.payment.record;
    if (notifications !== undefined) await handOver(notifications.to, notifications.takeAll());
  }
}

function endOf({ timeoutType }: TimeoutFailure) {
  if (timeoutType === 'SCHEDULE_TO_START') return 'never_started';
  return timeoutType === 'HEARTBEAT' ? 'no_heartbeat' : 'no_answer';
}
