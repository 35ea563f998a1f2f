import {
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { AcknowledgeAttention, AwaitStatus, PostbackReceived } from '../../src/contract/messages.js';
import type { PaymentState } from '../../src/contract/state.js';
import { needsDecision } from '../../src/domain/attention.js';
import { isUnanswered } from '../../src/domain/statuses.js';
import {
  acknowledgeAttentionUpdate,
  awaitStatusUpdate,
  postbackReceivedSignal,
  stateQuery,
  statusHintSignal,
} from '../messages/payment.js';
import { Alarm } from './alarm.js';
import { Inbox, refusal, type Letter } from './inbox.js';
import type { PaymentRecord } from './payment-record.js';
import { sentBeforeReset } from './reset.js';
import type { StatusFollower } from './status-follower.js';

const maxWaiting = 5;
const longestWaitSeconds = 30;

/** What is awaited while a step is due: it is taken at once. */
const actingNow = 'what comes of the step that it takes now';

/** Who commands, and why, as far as that was said. */
type Signed = { by?: string | undefined; reason?: string | undefined };

type Acknowledge = Signed & { kind: 'acknowledge' };

/** What a kind of payment adds to the life that all share. */
export type Story<Command, State> = {
  /** The whole state, as the query `state` and each Update answer it. */
  view(): State;
  /** When {@link step} has to run next: milliseconds since the epoch, or Infinity. */
  dueAt(): number;
  /** What the workflow waits for, as the summary of its timer. */
  awaiting(): string;
  /** Does what is due: sends, reads, or notices that a deadline has passed. */
  step(): Promise<void>;
  /** Obeys a command, or throws the refusal of it. */
  obey(command: Command): Promise<void>;
  ended(): boolean;
  /** Ends the payment if nothing of it was sent yet; answers whether it did. */
  cancel(): boolean;
  /**
   * Whether a creating call was decided upon that was not tried yet. It must be tried in the run that decided on it:
   * in one that came about by a reset, where old commands come in again, it then sends nothing, and a run that
   * continued it as new could not tell.
   */
  untried(): boolean;
  /** Whether the story should go on in a run of its own, though its history is still short. */
  wantsFreshRun?(): boolean;
  continueAsNew(): Promise<never>;
  /** A postback's own words, for those who can use them as a trail to follow. */
  onPostback?(postback: PostbackReceived): void;
};

/**
 * The life that every payment shares: one main loop that alone changes state, handlers that only put letters into
 * its inbox, waiting, following money through a cancel request, and leaving without dropping anything.
 */
export class Lifecycle<Command extends Signed & { kind: string }, State extends PaymentState> {
  readonly inbox = new Inbox<Command | Acknowledge, State>();
  readonly #alarm = new Alarm();
  #leaving = false;
  #waiting = 0;
  #cancelRequested = false;
  #cancelSeen = false;

  constructor(
    private readonly record: PaymentRecord,
    private readonly follower: StatusFollower,
    private readonly story: Story<Command, State>,
  ) {
    setHandler(stateQuery, () => story.view());
    setHandler(postbackReceivedSignal, (postback) => {
      story.onPostback?.(postback);
      follower.hint('postback');
    });
    setHandler(statusHintSignal, () => {
      follower.hint('hint');
    });
    setHandler(
      acknowledgeAttentionUpdate,
      (command: AcknowledgeAttention) => this.inbox.ask({ ...operatorOf(command), kind: 'acknowledge' }),
      {
        validator: (_command: AcknowledgeAttention) => {
          this.#refuseAcknowledge();
        },
      },
    );
    setHandler(awaitStatusUpdate, (wanted: AwaitStatus) => this.#awaitStatus(wanted), {
      validator: (wanted: AwaitStatus) => {
        this.#refuseWait(wanted);
      },
    });
    CancellationScope.current().cancelRequested.catch(() => {
      this.#cancelRequested = true;
    });
  }

  /** Lives until the story has ended; answers its last state, which is the result of the workflow. */
  run(): Promise<State> {
    return CancellationScope.nonCancellable(async () => {
      while (!this.story.ended()) {
        this.#sayWhatIsAwaited();
        this.record.publish();
        await this.#handOverWhenSuggested();
        const at = this.story.dueAt();
        await this.#alarm.until(at, () => this.#mustWake(at), this.story.awaiting());
        if (this.#cancelRequested && !this.#cancelSeen) await this.#cancel();
        const letter = this.inbox.take();
        if (letter !== undefined) await this.#open(letter);
        else if (!this.story.ended() && Date.now() >= this.story.dueAt()) await this.story.step();
      }
      return await this.#leave();
    });
  }

  #sayWhatIsAwaited(): void {
    const { cause, nextReadAt } = this.follower;
    const awaiting = this.story.dueAt() <= Date.now() ? actingNow : this.story.awaiting();
    this.record.expect(awaiting, Number.isFinite(nextReadAt) ? nextReadAt : null, cause);
  }

  #mustWake(plannedAt: number): boolean {
    return (
      !this.inbox.empty ||
      this.story.dueAt() < plannedAt ||
      this.#cancelRequested !== this.#cancelSeen ||
      // Those who only wait fill a history, too, and its number of Updates is bounded.
      (workflowInfo().continueAsNewSuggested && !this.story.untried())
    );
  }

  async #cancel(): Promise<void> {
    this.#cancelSeen = true;
    if ((await sentBeforeReset()) !== undefined || !this.story.cancel()) {
      this.record.note(
        'A cancel request came and changes nothing: money may be moving, and it is followed to its end.',
      );
    }
  }

  async #open({ command, reply }: Letter<Command | Acknowledge, State>): Promise<void> {
    try {
      if (isAcknowledge(command)) this.#acknowledge(command);
      else await this.story.obey(command);
    } catch (error) {
      if (!(error instanceof ApplicationFailure)) throw error;
      this.record.note(`Not obeyed (${command.kind}): ${error.message}`, operatorOf(command));
      reply.refuse(error);
      return;
    }
    this.#sayWhatIsAwaited();
    this.record.publish();
    reply.answer(this.story.view());
  }

  #acknowledge(command: Acknowledge): void {
    const { attention } = this.record;
    if (attention === null || needsDecision(attention)) {
      throw refusal(
        'NoAttention',
        'What was to be acknowledged has changed in the meantime. Read the state again.',
      );
    }
    this.record.note(`Acknowledged: ${attention}`, command);
    this.record.lower(attention);
  }

  #refuseAcknowledge(): void {
    const attention = this.record.attention;
    if (attention === null) throw refusal('NoAttention', 'No person is called for by this payment.');
    if (needsDecision(attention)) {
      throw refusal(
        'DecisionNeeded',
        `${attention} ends by a decision, not by an acknowledgement. See its current details.`,
      );
    }
  }

  #refuseWait(wanted: AwaitStatus): void {
    if (
      !Array.isArray(wanted?.statuses) ||
      !(wanted.timeout_seconds > 0 && wanted.timeout_seconds <= longestWaitSeconds)
    ) {
      throw refusal(
        'InvalidMessage',
        'awaitStatus takes { statuses: [...], timeout_seconds: above 0, at most 30 }.',
      );
    }
    if (this.#waiting >= maxWaiting) {
      throw refusal(
        'TooManyWaiting',
        `${String(maxWaiting)} callers wait for this payment already. Read its state instead.`,
      );
    }
  }

  async #awaitStatus({ statuses, timeout_seconds }: AwaitStatus): Promise<State> {
    const reached = () =>
      statuses.length === 0
        ? !isUnanswered(this.record.status) || this.record.attention !== null
        : statuses.includes(this.record.status);
    this.#waiting += 1;
    try {
      if (!reached()) {
        // A cancel request of the payment is not one of those who wait for it.
        await CancellationScope.nonCancellable(() =>
          condition(() => reached() || this.#leaving, timeout_seconds * 1_000, {
            summary: 'a caller waits for a status',
          }),
        );
      }
    } finally {
      this.#waiting -= 1;
    }
    return this.story.view();
  }

  /** Continues as new unless a command comes in first; that one is obeyed before the next try. */
  async #handOverWhenSuggested(): Promise<void> {
    const wanted = workflowInfo().continueAsNewSuggested || this.story.wantsFreshRun?.() === true;
    if (!wanted || this.story.untried() || !this.inbox.empty) return;
    this.#leaving = true;
    await condition(() => allHandlersFinished() || !this.inbox.empty);
    if (this.inbox.empty) await this.story.continueAsNew();
    this.#leaving = false;
  }

  async #leave(): Promise<State> {
    this.#leaving = true;
    await this.record.handOverNotifications();
    for (;;) {
      const letter = this.inbox.take();
      letter?.reply.refuse(refusal('Closed', 'This payment is closed. Nothing was done.'));
      if (letter === undefined) {
        await condition(() => allHandlersFinished() || !this.inbox.empty);
        if (this.inbox.empty) break;
      }
    }
    this.record.close();
    this.record.publish();
    return this.story.view();
  }
}

/** The operator's name and reason in a command, which bare clients may leave out altogether. */
export function operatorOf(command: Signed | undefined): { by?: string; reason?: string } {
  const { by, reason } = command ?? {};
  return {
    ...(typeof by === 'string' ? { by: by.slice(0, 128) } : {}),
    ...(typeof reason === 'string' ? { reason: reason.slice(0, 500) } : {}),
  };
}

function isAcknowledge(command: { kind: string }): command is Acknowledge {
  return command.kind === 'acknowledge';
}
