import { abandonPayout, retryPayout, type AbandonPayout, type RetryPayout } from '../contract/messages.js';
import { payoutState, type PayoutState } from '../contract/state.js';
import { parseRequest } from './parse.js';
import { PaymentHandle, type Sending } from './payment-handle.js';
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
   * @throws CommandRefusedError, CommandPendingError
   */
  async retry(command: RetryPayout, updateId?: string, sending?: Sending): Promise<PayoutState> {
    return this.command('retryPayout', parseRequest(retryPayout, command), sending, updateId);
  }

  /** Gives a failed payout up. @param updateId as of {@link retry} @throws CommandRefusedError, CommandPendingError */
  async abandon(command: AbandonPayout, updateId?: string, sending?: Sending): Promise<PayoutState> {
    return this.command('abandonPayout', parseRequest(abandonPayout, command), sending, updateId);
  }
}
