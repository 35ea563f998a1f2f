import { defineUpdate } from '@temporalio/workflow';
import type { ResolveRefund, RetryRefund } from '../../src/contract/messages.js';
import type { RefundState } from '../../src/contract/state.js';

/** Asks the service for the refund once more. Answers once the order was read again and the request is due. */
export const retryRefundUpdate = defineUpdate<RefundState, [RetryRefund]>('retryRefund');

/** What a person found out about a refund that does not come to its end by itself. */
export const resolveRefundUpdate = defineUpdate<RefundState, [ResolveRefund]>('resolveRefund');
