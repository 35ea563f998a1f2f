import type { CreationOutcome, DetailedCreationOutcome, SendOnceInput } from '../../src/contract/outcomes.js';
import type { PaymentRecord } from './payment-record.js';
import { isUntried, newSubmission, sendOnce, type SubmissionState, type Submitted } from './submission.js';

/** What a call under way hands over at a continue-as-new: how often it was tried, and when it is due. */
export type SendingCarry = {
  submission: SubmissionState;
  at: number;
  /** When it was first due. */
  since?: number;
};

/** What became of a call, apart from its surely having done nothing, after which it is due again. */
export type Sent = Exclude<Submitted, { kind: 'again' }>;

/** A creating call that is made once, and again only after a proof that it did nothing. */
export class Sending {
  #carry: SendingCarry;

  constructor(
    private readonly record: PaymentRecord,
    private readonly scale: number,
    carried?: SendingCarry,
  ) {
    this.#carry = carried ?? { submission: newSubmission, at: 0 };
  }

  /** When to send: milliseconds since the epoch. */
  get at(): number {
    return this.#carry.at;
  }

  /** When the call was first due: milliseconds since the epoch; Infinity when it always was. */
  get since(): number {
    return this.#carry.since ?? Infinity;
  }

  /** Whether the call was decided upon and not tried yet. */
  get untried(): boolean {
    return isUntried(this.#carry.submission);
  }

  /** Makes another call of the same kind due now, as if none had been made. */
  renew(): void {
    this.#carry = { submission: newSubmission, at: Date.now(), since: Date.now() };
  }

  /** Makes the call; undefined when it did nothing and is due again. */
  async once(
    call: (once: SendOnceInput) => Promise<CreationOutcome | DetailedCreationOutcome>,
  ): Promise<Sent | undefined> {
    const submitted = await sendOnce(this.#carry.submission, this.scale, call);
    if (submitted.kind !== 'again') return submitted;
    this.#carry = { ...this.#carry, submission: submitted.state, at: submitted.at };
    this.record.note(`Not sent, will be sent again: ${submitted.reason}`);
    return undefined;
  }

  carry(): SendingCarry {
    return this.#carry;
  }
}
