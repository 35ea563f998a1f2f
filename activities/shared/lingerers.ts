import { lingering, type Lingering } from '../../src/domain/lingering.js';

/** The creating calls of one worker that linger. */
export class Lingerers {
  #count = 0;

  constructor(readonly bounds: Lingering = lingering) {}

  /** Takes a place; undefined when none is free. Answers what gives it back. */
  enter(): (() => void) | undefined {
    if (this.#count >= this.bounds.most) return undefined;
    this.#count += 1;
    return () => {
      this.#count -= 1;
    };
  }
}
