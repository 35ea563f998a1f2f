import { resolveRefund, retryRefund, type ResolveRefund, type RetryRefund } from '../contract/messages.js';
import { refundState, type RefundState } from '../contract/state.js';
import { parseRequest } from './parse.js';
import { PaymentHandle } from './payment-handle.js';
import type { TemporalCalls } from './temporal-calls.js';

/** The refund of an order. */
export class RefundHandle extends PaymentHandle<RefundState> {
  constructor(calls: TemporalCalls, workflowId: string) {
    super(calls, workflowId, refundState);
  }

  /** Requests the refund once more. What may be queued already needs `nothing_queued`. @throws CommandRefusedError */
  async retry(command: RetryRefund): Promise<RefundState> {
    return this.update('retryRefund', parseRequest(retryRefund, command));
  }

  /** Records what an operator found out about a refund that comes to no end. @throws CommandRefusedError */
  async resolveRefund(command: ResolveRefund): Promise<RefundState> {
    return this.update('resolveRefund', parseRequest(resolveRefund, command));
  }
}
