import { CancellationScope } from '@temporalio/workflow';
import type { AwaitStatus } from '../../src/contract/messages.js';
import { messageProblem } from '../../src/domain/command-messages.js';
import { Refused } from '../../src/domain/refused.js';
import { isUnanswered } from '../../src/domain/statuses.js';
import type { Clock } from './clock.js';
import type { PaymentRecord } from './payment-record.js';

const maxWaiting = 5;

/** Callers who wait for a status of one payment. */
export class StatusWaiters {
  #waiting = 0;

  constructor(
    private readonly record: PaymentRecord,
    private readonly clock: Clock,
  ) {}

  refusalOf(wanted: AwaitStatus | undefined): Refused | undefined {
    const problem = messageProblem('awaitStatus', wanted);
    if (problem !== undefined) return new Refused('InvalidMessage', problem);
    if (this.#waiting < maxWaiting) return undefined;
    const what = `${String(maxWaiting)} callers wait for this payment already. Read its state instead.`;
    return new Refused('TooManyWaiting', what);
  }

  /** Resolves when the status is one of those wanted, the time is over, or `released` holds. */
  async wait({ statuses, timeout_seconds }: AwaitStatus, released: () => boolean): Promise<void> {
    const { record } = this;
    const reached = () =>
      statuses.length === 0
        ? !isUnanswered(record.status) || record.attention !== null
        : statuses.includes(record.status);
    if (reached()) return;
    this.#waiting += 1;
    const until = this.clock.now() + timeout_seconds * 1_000;
    try {
      // A cancel request of the payment does not concern those who wait for it.
      await CancellationScope.nonCancellable(() =>
        this.clock.until(until, () => reached() || released(), 'a caller waits for a status'),
      );
    } finally {
      this.#waiting -= 1;
    }
  }
}
