import type { PaymentState } from '../../src/contract/state.js';
import { commandLimits } from '../../src/domain/call-limits.js';
import type { PendingCommand } from '../../src/domain/payment-record.js';
import { Refused } from '../../src/domain/refused.js';
import type { Command } from './commands.js';

/** A command on its way from its handler to the lifecycle, which alone executes it. */
export type Queued = {
  readonly command: Command;
  readonly pending: PendingCommand;
  readonly answer: (state: PaymentState) => void;
  readonly refuse: (reason: Refused) => void;
};

/** What handlers enqueue and the lifecycle takes out, one at a time: handlers never change state. */
export class CommandQueue {
  #executing: Queued | undefined;
  readonly #queued: Queued[] = [];

  /** @param now milliseconds since the epoch */
  constructor(private readonly now: () => number) {}

  get empty(): boolean {
    return this.#queued.length === 0;
  }

  /** All that were taken and are neither executed nor refused, the one that is being executed first. */
  get pending(): readonly PendingCommand[] {
    const executing = this.#executing === undefined ? [] : [this.#executing];
    return [...executing, ...this.#queued].map(({ pending }) => pending);
  }

  /** Until when the command that is being executed has to be; Infinity while none is. */
  get deadline(): number {
    return this.#executing?.pending.until ?? Infinity;
  }

  /**
   * What takes long is followed by this: after its deadline a command changes nothing. By an abandonment nothing is sent,
   * however late. @throws Refused once the command that is being executed has expired
   */
  refuseExpired(): void {
    if (this.#executing === undefined) return;
    const { name, takenAt, until } = this.#executing.pending;
    if (this.now() < until || name === 'abandonPayout') return;
    const waited = `It has waited ${String(Math.floor((this.now() - takenAt) / 60_000))} minutes`;
    throw new Refused(
      'Expired',
      `${waited}, and is not executed any more. Nothing was changed. Send it again.`,
    );
  }

  /** From a Signal handler: nobody waits for an answer. */
  enqueue(command: Command): void {
    this.#add(command, null, { answer: () => undefined, refuse: () => undefined });
  }

  /**
   * From an Update handler: resolves when the lifecycle has executed the command, rejects when it refused.
   *
   * @param id of the Update
   */
  execute(command: Command, id: string | null = null): Promise<PaymentState> {
    return new Promise((answer, refuse) => {
      this.#add(command, id, { answer, refuse });
    });
  }

  /** The next command; an abandonment overtakes retries that came in before it. */
  take(): Queued | undefined {
    const abandon = this.#queued.findIndex(({ command }) => command.name === 'abandonPayout');
    this.#executing = this.#queued.splice(Math.max(abandon, 0), 1)[0];
    return this.#executing;
  }

  /** The command that was taken out is executed or refused. */
  done(): void {
    this.#executing = undefined;
  }

  #add(command: Command, id: string | null, handle: Pick<Queued, 'answer' | 'refuse'>): void {
    const { message, name } = command;
    const takenAt = this.now();
    const until = takenAt + commandLimits.executedMs;
    this.#queued.push({ command, pending: { id, name, by: message.by ?? null, takenAt, until }, ...handle });
  }
}
