export type Event = { readonly at: number; readonly order: number; readonly act: () => void };

/** Time that passes only from event to event: milliseconds since the epoch. */
export class VirtualClock {
  #now: number;
  #order = 0;
  readonly #events: Event[] = [];

  constructor(startsAt: number) {
    this.#now = startsAt;
  }

  get now(): number {
    return this.#now;
  }

  /** When the next event is due; Infinity when there is none. */
  get nextAt(): number {
    return this.#events.at(-1)?.at ?? Infinity;
  }

  /** Acts at that time, or at once when it is over; events of one time act in the order in which they were set. */
  at(time: number, act: () => void): Event | undefined {
    if (!Number.isFinite(time)) return undefined;
    const event = { at: Math.max(Math.ceil(time), this.#now), order: this.#order, act };
    this.#order += 1;
    // Kept sorted, the next one last. Most events are set shortly before they are due.
    let place = this.#events.length;
    while (place > 0 && isLater(event, this.#events[place - 1])) place -= 1;
    this.#events.splice(place, 0, event);
    return event;
  }

  cancel(event: Event | undefined): void {
    const place = event === undefined ? -1 : this.#events.lastIndexOf(event);
    if (place >= 0) this.#events.splice(place, 1);
  }

  after(delayMs: number, act: () => void): void {
    this.at(this.#now + delayMs, act);
  }

  /** Goes on to the next event and lets it act; false when there is none before the horizon. */
  step(horizon: number): boolean {
    const event = this.#events.pop();
    if (event === undefined || event.at > horizon) return false;
    this.#now = event.at;
    event.act();
    return true;
  }
}

function isLater(event: Event, other: Event | undefined): boolean {
  return other !== undefined && (event.at > other.at || (event.at === other.at && event.order > other.order));
}
