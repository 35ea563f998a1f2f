import { condition } from '@temporalio/workflow';

/**
 * The clock of a workflow, in milliseconds since the epoch: the time of its task, or the moment of the last timer that has
 * fired, if that is later. So a moment is over once its timer has fired, whatever the clock of Temporal's host says.
 */
export class Clock {
  #firedAt = -Infinity;

  now(): number {
    return Math.max(Date.now(), this.#firedAt);
  }

  /**
   * Resolves at that moment (Infinity for never), or as soon as `awake` holds; its timer is cancelled then. The summary is
   * what an operator sees on the timer.
   */
  async until(at: number, awake: () => boolean, summary: string): Promise<void> {
    if (at === Infinity) return condition(awake);
    if (this.now() >= at || (await condition(awake, at - this.now(), { summary }))) return;
    this.#firedAt = Math.max(this.#firedAt, at);
  }
}
