import { resolveRefund, retryRefund, type ResolveRefund, type RetryRefund } from '../contract/messages.js';
import { refundState, type RefundState } from '../contract/state.js';
import { parseRequest } from './parse.js';
import { PaymentHandle, type Sending } from './payment-handle.js';
import type { TemporalCalls } from './temporal-calls.js';

/** The refund of an order. */
export class RefundHandle extends PaymentHandle<RefundState> {
  constructor(calls: TemporalCalls, workflowId: string) {
    super(calls, workflowId, refundState);
  }

  /** Requests the refund once more. What may be queued already needs `nothing_queued`. @throws CommandRefusedError, CommandPendingError */
  async retry(command: RetryRefund, sending?: Sending): Promise<RefundState> {
    return this.command('retryRefund', parseRequest(retryRefund, command), sending);
  }

  /** Records what an operator found out about a refund that comes to no end. @throws CommandRefusedError, CommandPendingError */
  async resolveRefund(command: ResolveRefund, sending?: Sending): Promise<RefundState> {
    return this.command('resolveRefund', parseRequest(resolveRefund, command), sending);
  }
}
