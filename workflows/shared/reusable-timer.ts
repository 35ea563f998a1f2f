import { CancellationScope, condition, isCancellation, sleep } from '@temporalio/workflow';

type PendingTimer = { at: number; fired: boolean; scope: CancellationScope };

/**
 * Waits for a moment or for whatever else makes the workflow wake up. A pending timer that fires no later than
 * the moment is used again instead of being cancelled and started anew: each timer is two events of history.
 */
export class ReusableTimer {
  #timer: PendingTimer | undefined;

  /**
   * Resolves when the workflow's time has reached `at` (milliseconds since the epoch; Infinity for never) or as
   * soon as `awake` holds. The summary is what an operator sees on the timer.
   */
  async until(at: number, awake: () => boolean, summary: string): Promise<void> {
    while (!awake() && Date.now() < at) {
      const timer = this.#arm(at, summary);
      await condition(() => awake() || timer?.fired === true);
      if (timer?.fired === true) {
        this.#timer = undefined;
        if (timer.at >= at) return;
      }
    }
  }

  #arm(at: number, summary: string): PendingTimer | undefined {
    if (this.#timer !== undefined && (this.#timer.at <= at || at === Infinity)) return this.#timer;
    this.#timer?.scope.cancel();
    this.#timer = at === Infinity ? undefined : startTimer(at, summary);
    return this.#timer;
  }
}

function startTimer(at: number, summary: string): PendingTimer {
  const timer: PendingTimer = { at, fired: false, scope: new CancellationScope() };
  timer.scope
    .run(() => sleep(Math.max(1, at - Date.now()), { summary }))
    .then(
      () => {
        timer.fired = true;
      },
      (error: unknown) => {
        if (!isCancellation(error)) throw error;
      },
    );
  return timer;
}
