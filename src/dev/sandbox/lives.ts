import type { Cancel, Clock } from './clock.js';
import type { Postbacks } from './postbacks.js';
import type { Life } from './scenario.js';
import type { Tracked } from './tracked.js';

/** `automatic`: payments go through their life by the clock; `manual`: only control calls move them. */
export type Progress = 'automatic' | 'manual';

type Step = {
  readonly afterMs: number;
  readonly status: string;
  readonly since: number;
  readonly cancel: Cancel;
};

/** Moves records from status to status, and has every change reported. */
export class Lives {
  readonly #clock: Clock;
  readonly #postbacks: Postbacks;
  readonly #progress: Progress;
  readonly #changed: () => void;
  readonly #steps = new WeakMap<Tracked, Step[]>();

  constructor(clock: Clock, postbacks: Postbacks, progress: Progress, changed: () => void) {
    this.#clock = clock;
    this.#postbacks = postbacks;
    this.#progress = progress;
    this.#changed = changed;
  }

  /** Starts the steps of a life, beside those under way. `entered` is called for each that is reached. */
  follow(record: Tracked, steps: Life['then'], entered: (status: string) => void = () => undefined): void {
    if (this.#progress === 'manual') return;
    const started = steps.map(([afterMs, status]) => {
      const cancel = this.#clock.after(afterMs, () => {
        this.#steps.set(
          record,
          (this.#steps.get(record) ?? []).filter((other) => other !== step),
        );
        entered(status);
        this.#enter(record, status);
      });
      const step: Step = { afterMs, status, since: Date.now(), cancel };
      return step;
    });
    this.#steps.set(record, [...(this.#steps.get(record) ?? []), ...started]);
  }

  /** The time that records carry, as ISO 8601. */
  stamp(): string {
    return this.#clock.stamp();
  }

  /** The steps that are still to come, counted from now. */
  ahead(record: Tracked): Life['then'] {
    const steps = this.#steps.get(record) ?? [];
    return steps.map(({ afterMs, status, since }) => [this.#clock.left(afterMs, since), status]);
  }

  /** One more step beside those under way; it ends them. */
  later(record: Tracked, afterMs: number, status: string): void {
    if (this.#progress === 'automatic') this.#clock.after(afterMs, () => this.set(record, status));
  }

  /** Sets a status now, and ends the steps that were to come. */
  set(record: Tracked, status: string): void {
    this.#drop(record);
    this.#enter(record, status);
  }

  #enter(record: Tracked, status: string): void {
    record.status = status;
    record.history.push({ status, at: this.stamp() });
    this.#postbacks.announce(record);
    this.#changed();
  }

  #drop(record: Tracked): void {
    for (const { cancel } of this.#steps.get(record) ?? []) cancel();
    this.#steps.delete(record);
  }
}
