import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  condition,
  getExternalWorkflowHandle,
  TemporalFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { StatusHint } from '../../src/contract/messages.js';
import type { PaymentState } from '../../src/contract/state.js';
import type { Called } from '../../src/domain/called.js';
import { statusHintSignal } from '../messages.js';
import { scheduled, takeTurn } from './activities.js';
import type { Clock } from './clock.js';
import type { CallName, Engine, How, InputOf, ResultOf } from './engine.js';
import { goOnInNewRun, needsNewRun } from './new-run.js';
import { handOver, Notifier } from './notifier.js';
import type { Payment } from './payment.js';
import { Publisher } from './publisher.js';
import { runSnapshot } from './temporal-run.js';

/** {@link Engine} on Temporal: each call is an activity. */
export class TemporalEngine<State extends PaymentState> implements Engine {
  /** The place in the queue of turns, while the payment has one. */
  #turn: { hasCome: boolean } | undefined;
  readonly #publisher: Publisher;
  readonly #notifier: Notifier | undefined;

  /** @param input of the workflow, with which it continues as new */
  constructor(
    private readonly payment: Payment<State>,
    private readonly clock: Clock,
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

  sleepUntil(at: number, wakes: () => boolean, summary: string): Promise<void> {
    return this.clock.until(at, () => wakes() || needsNewRun(), summary);
  }

  async sleepUntilTurn(at: number, wakes: () => boolean, summary: string): Promise<boolean> {
    this.#turn ??= this.#takeTurn();
    const turn = this.#turn;
    await this.clock.until(at, () => turn.hasCome || wakes() || needsNewRun(), summary);
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
    const scheduledAt = Date.now();
    const tookMs = () => Date.now() - scheduledAt;
    try {
      const result = await scheduled<ResultOf<Name>>(name, input === undefined ? [] : [input], how);
      return { kind: 'completed', result, tookMs: tookMs() };
    } catch (error) {
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
