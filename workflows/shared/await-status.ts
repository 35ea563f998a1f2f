import { CancellationScope, condition } from '@temporalio/workflow';
import type { AwaitStatus } from '../../src/contract/messages.js';
import { isUnanswered } from '../../src/domain/statuses.js';
import type { PaymentRecord } from './payment-record.js';
import { Refused } from './refused.js';

const maxWaiting = 5;
const longestWaitSeconds = 30;

/** Callers who wait for a status of one payment. */
export class StatusWaiters {
  #waiting = 0;

  constructor(private readonly record: PaymentRecord) {}

  refusalOf(wanted: AwaitStatus | undefined): Refused | undefined {
    const { statuses, timeout_seconds: seconds }: { statuses?: unknown; timeout_seconds?: unknown } =
      wanted ?? {};
    const known = Object.keys(wanted ?? {}).every(
      (name) => name === 'statuses' || name === 'timeout_seconds',
    );
    const words = Array.isArray(statuses) && statuses.every((word) => typeof word === 'string');
    if (!known || !words || !(typeof seconds === 'number' && seconds > 0 && seconds <= longestWaitSeconds)) {
      return new Refused(
        'InvalidMessage',
        'awaitStatus takes { statuses: [...], timeout_seconds: above 0, at most 30 }.',
      );
    }
    if (this.#waiting < maxWaiting) return undefined;
    return new Refused(
      'TooManyWaiting',
      `${String(maxWaiting)} callers wait for this payment already. Read its state instead.`,
    );
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
    try {
      // A cancel request of the payment does not concern those who wait for it.
      await CancellationScope.nonCancellable(() =>
        condition(() => reached() || released(), timeout_seconds * 1_000, {
          summary: 'a caller waits for a status',
        }),
      );
    } finally {
      this.#waiting -= 1;
    }
  }
}
