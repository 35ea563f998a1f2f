import type { ReadCause } from '../../src/contract/state.js';
import { nextReadDelayMs, type CadenceStep } from '../../src/domain/cadence.js';

/** What a follower hands over at a continue-as-new. */
export type FollowerCarry = Omit<Due, 'nextReadAt'> & {
  /** null for never: Infinity does not survive JSON. */
  nextReadAt: number | null;
};

type Due = { nextReadAt: number; hintGapMs: number; lastLookAt: number; cause: ReadCause };

const firstHintGapMs = 1_000;
const longestHintGapMs = 300_000;

/**
 * Knows when the next read is due and why: by cadence, or at once by a hint. Hints are free to give and cost no
 * more than one read; without a change of status between them, they make reads due at growing distances only.
 */
export class StatusFollower {
  #carry: Due = { nextReadAt: Infinity, hintGapMs: 0, lastLookAt: 0, cause: 'cadence' };

  constructor(
    private readonly scale: number,
    carried?: FollowerCarry,
  ) {
    if (carried !== undefined) this.#carry = { ...carried, nextReadAt: carried.nextReadAt ?? Infinity };
  }

  get nextReadAt(): number {
    return this.#carry.nextReadAt;
  }

  get due(): boolean {
    return Date.now() >= this.#carry.nextReadAt;
  }

  get cause(): ReadCause {
    return this.#carry.cause;
  }

  /** A postback or another hint came in. */
  hint(cause: ReadCause): void {
    const at = Math.max(Date.now(), this.#carry.lastLookAt + this.#carry.hintGapMs);
    if (at < this.#carry.nextReadAt) this.#carry = { ...this.#carry, nextReadAt: at, cause };
  }

  /** Makes the next read due now. */
  dueNow(cause: ReadCause): void {
    this.#carry = { ...this.#carry, nextReadAt: Date.now(), cause };
  }

  /** Makes the next read due at a moment of its own, as scans for a payment of unknown fate are. */
  dueAt(at: number): void {
    this.#carry = { ...this.#carry, nextReadAt: at, cause: 'cadence' };
  }

  /** Called as a read begins: hints that come in from now on make another one due. */
  beginLook(): void {
    const hinted = this.#carry.cause === 'postback' || this.#carry.cause === 'hint';
    const gap = Math.min(
      Math.max(this.#carry.hintGapMs * 2, firstHintGapMs * this.scale),
      longestHintGapMs * this.scale,
    );
    this.#carry = {
      nextReadAt: Infinity,
      lastLookAt: Date.now(),
      hintGapMs: hinted ? gap : this.#carry.hintGapMs,
      cause: 'cadence',
    };
  }

  /** A change of status restarts everything: the next hint is heeded at once. */
  changed(): void {
    this.#carry.hintGapMs = 0;
  }

  /** Sets the next read by cadence, unless a hint has made an earlier one due. */
  plan(cadence: readonly CadenceStep[], changedAt: number): void {
    const sinceChangeMs = (Date.now() - changedAt) / this.scale;
    const at = Date.now() + nextReadDelayMs(cadence, sinceChangeMs, Math.random()) * this.scale;
    if (at < this.#carry.nextReadAt) this.#carry = { ...this.#carry, nextReadAt: at, cause: 'cadence' };
  }

  carry(): FollowerCarry {
    const { nextReadAt } = this.#carry;
    return { ...this.#carry, nextReadAt: Number.isFinite(nextReadAt) ? nextReadAt : null };
  }
}
