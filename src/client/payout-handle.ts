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
   * @throws CommandRefusedError, CommandPendingError
   */
  async retry(command: RetryPayout, sending?: Sending): Promise<PayoutState> {
    return this.command('retryPayout', parseRequest(retryPayout, command), sending);
  }

  /** Gives a failed payout up. @throws CommandRefusedError, CommandPendingError */
  async abandon(command: AbandonPayout, sending?: Sending): Promise<PayoutState> {
    return this.command('abandonPayout', parseRequest(abandonPayout, command), sending);
  }
}
