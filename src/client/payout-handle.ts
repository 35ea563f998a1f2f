import { abandonPayout, retryPayout, type AbandonPayout, type RetryPayout } from '../contract/messages.js';
import { payoutState, type PayoutState } from '../contract/state.js';
import { parseRequest } from './parse.js';
import { PaymentHandle } from './payment-handle.js';
import type { TemporalCalls } from './temporal-calls.js';

/** A payout, by pix or transfer. */
export class PayoutHandle extends PaymentHandle<PayoutState> {
  constructor(calls: TemporalCalls, workflowId: string) {
    super(calls, workflowId, payoutState);
  }

  /**
   * Pays a failed payout again, perhaps with corrected payee data.
   *
   * @param updateId the same command sent again under it is executed once
   * @throws CommandRefusedError
   */
  async retry(command: RetryPayout, updateId?: string): Promise<PayoutState> {
    return this.update('retryPayout', parseRequest(retryPayout, command), undefined, updateId);
  }

  /** Gives a failed payout up. @param updateId as of {@link retry} @throws CommandRefusedError */
  async abandon(command: AbandonPayout, updateId?: string): Promise<PayoutState> {
    return this.update('abandonPayout', parseRequest(abandonPayout, command), undefined, updateId);
  }
}
