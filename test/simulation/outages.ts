import { delaysMs, type Outage } from './plan.js';
import type { VirtualClock } from './virtual-clock.js';

/** When reads, the list of payouts, or sends do not work, by a plan. */
export class Outages {
  readonly #outages: readonly { of: Outage['of']; begins: number; ends: number }[];

  constructor(
    planned: readonly Outage[],
    private readonly clock: VirtualClock,
    startsAt: number,
  ) {
    this.#outages = planned.map(({ from, lasts, of }) => {
      const begins = startsAt + (delaysMs[from] ?? 0);
      return { of, begins, ends: begins + (delaysMs[lasts] ?? 0) };
    });
  }

  /** Until when these do not work; undefined while they do. */
  until(wanted: Outage['of']): number | undefined {
    const { now } = this.clock;
    let until: number | undefined;
    for (const { of, begins, ends } of this.#outages) {
      if (of === wanted && now >= begins && now < ends) until = Math.max(until ?? 0, ends);
    }
    return until;
  }

  /** Until when reads or the list did not work, or will not; 0 when they always have. */
  get unreadableUntil(): number {
    const begun = this.#outages.filter(({ begins, of }) => of !== 'sends' && begins <= this.clock.now);
    return Math.max(...begun.map(({ ends }) => ends), 0);
  }

  /** When the next outage begins or ends; Infinity after the last one. */
  get changesAt(): number {
    const times = this.#outages.flatMap(({ begins, ends }) => [begins, ends]);
    return Math.min(...times.filter((time) => time > this.clock.now), Infinity);
  }
}
