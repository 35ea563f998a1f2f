import type { PaymentState } from '../../src/contract/state.js';
import type { Command } from './commands.js';
import type { Refused } from '../../src/domain/refused.js';

/** A command on its way from its handler to the lifecycle, which alone executes it. */
export type Queued = {
  readonly command: Command;
  readonly answer: (state: PaymentState) => void;
  readonly refuse: (reason: Refused) => void;
};

/** What handlers enqueue and the lifecycle takes out, one at a time: handlers never change state. */
export class CommandQueue {
  readonly #queued: Queued[] = [];

  get empty(): boolean {
    return this.#queued.length === 0;
  }

  /** From a Signal handler: nobody waits for an answer. */
  enqueue(command: Command): void {
    this.#queued.push({ command, answer: () => undefined, refuse: () => undefined });
  }

  /** From an Update handler: resolves when the lifecycle has executed the command, rejects when it refused. */
  execute(command: Command): Promise<PaymentState> {
    return new Promise((answer, refuse) => {
      this.#queued.push({ command, answer, refuse });
    });
  }

  /** The next command; an abandonment overtakes retries that came in before it. */
  take(): Queued | undefined {
    const abandon = this.#queued.findIndex(({ command }) => command.name === 'abandonPayout');
    return this.#queued.splice(Math.max(abandon, 0), 1)[0];
  }
}
