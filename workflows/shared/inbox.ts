import { ApplicationFailure } from '@temporalio/workflow';

/** Why a command was not obeyed; the `type` of the failure that its sender gets. */
export type Refusal =
  | 'NotParked'
  | 'WrongAttempt'
  | 'AlreadyMoving'
  | 'CouldNotRead'
  | 'NotAwaitingCard'
  | 'NotAwaitingAuthentication'
  | 'NotUnknown'
  | 'DecisionNeeded'
  | 'NoAttention'
  | 'InvalidMessage'
  | 'TooManyWaiting'
  | 'Closed';

/** The failure that tells the sender of a command, in words, why it was not obeyed. */
export function refusal(type: Refusal, message: string): ApplicationFailure {
  return ApplicationFailure.create({ type, message, nonRetryable: true });
}

/** Ends the wait of whoever sent a command. A signal's sender does not wait. */
export type Reply<Answer> = {
  answer(state: Answer): void;
  refuse(failure: ApplicationFailure): void;
};

/** A command on its way from its handler to the main function, which alone acts on it. */
export type Letter<Command, Answer> = { readonly command: Command; readonly reply: Reply<Answer> };

const noReply = { answer: () => undefined, refuse: () => undefined };

/** What handlers put in and the main function takes out, one at a time: handlers never change state. */
export class Inbox<Command, Answer> {
  readonly #letters: Letter<Command, Answer>[] = [];

  get empty(): boolean {
    return this.#letters.length === 0;
  }

  /** From a signal handler: nobody waits for an answer. */
  tell(command: Command): void {
    this.#letters.push({ command, reply: noReply });
  }

  /** From an Update handler: resolves when the main function has obeyed, rejects when it refused. */
  ask(command: Command): Promise<Answer> {
    return new Promise((answer, refuse) => {
      this.#letters.push({ command, reply: { answer, refuse } });
    });
  }

  take(): Letter<Command, Answer> | undefined {
    return this.#letters.shift();
  }
}
